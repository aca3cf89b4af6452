# SPDX-License-Identifier: BSL-1.0
"""Conan 2 recipe of sluice; it builds the tree that it lies in."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

# What needs a library of somebody else's: option, its libraries, on by default.
COMPONENTS = {
    "crc": (["isa-l/2.30.0"], False),
    "gzip": (["zlib/[>=1.2.11 <2]", "isa-l/2.30.0"], False),
    "lz4": (["lz4/1.9.4"], False),
    "sha256": (["openssl/[>=1.1 <4]"], False),
    "snappy": (["snappy/1.1.10", "isa-l/2.30.0"], False),
    "view": (["range-v3/0.12.0"], True),
    "xxh3": (["xxhash/0.8.2"], False),
    "zstd": (["zstd/[~1.5]"], False),
}


class SluiceConan(ConanFile):
    name = "sluice"
    description = "Generic I/O copying and buffering"
    license = "BSL-1.0"
    topics = ("io", "copy", "buffer", "stream", "splice")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "tool": [True, False],
        "testing": [True, False],
        **{component: [True, False] for component in COMPONENTS},
    }
    default_options = {
        "shared": False,
        "fPIC": True,
        "tool": False,
        "testing": False,
        **{component: default for component, (_, default) in COMPONENTS.items()},
    }

    @property
    def _tree(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def set_version(self):
        text = load(self, os.path.join(self._tree, "CMakeLists.txt"))
        self.version = re.search(r"^  VERSION (\S+)$", text, re.MULTILINE).group(1)

    def export_sources(self):
        for name in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "tool/*"):
            copy(self, name, self._tree, self.export_sources_folder)

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        wanted = {}
        for component, (libraries, _) in COMPONENTS.items():
            if self.options.get_safe(component):
                wanted.update({library: component == "view" or wanted.get(library, False) for library in libraries})
        for library, in_headers in wanted.items():
            self.requires(library, transitive_headers=in_headers)
        if self.options.tool:
            self.requires("cli11/2.3.2", visible=False)

    def validate(self):
        check_min_cppstd(self, 23)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("sluice is for Linux")
        if self.options.snappy and not self.options.crc:
            raise ConanInvalidConfiguration("the component snappy needs the component crc")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "BENCH", "EXAMPLES"):
            toolchain.cache_variables[f"SLUICE_BUILD_{part}"] = False
        for part in ("tool", "testing", *COMPONENTS):
            toolchain.cache_variables[f"SLUICE_BUILD_{part.upper()}"] = bool(self.options.get_safe(part))
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # sluice's own CMake package, which knows its components and finds what they need.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "sluice"))
