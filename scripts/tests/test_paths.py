# SPDX-License-Identifier: GPL-2.0
"""A function that allocates or frees without a hook is found, with a chain of calls."""

import os
import tempfile
import unittest

from paths import Graphs

SLUB = """
static void *take(struct kmem_cache *s)
{
	return s->cpu_slab->freelist;
}

static void *post(struct kmem_cache *s, void *object)
{
	marker_call(kmem_cache_alloc, _RET_IP_, s, object);
	return object;
}

static void *inner(struct kmem_cache *s)
{
	return take(s);
}

void *with_hook(struct kmem_cache *s)
{
	void *object = inner(s);

	marker_call(kmem_cache_alloc, _RET_IP_, s, object);
	return object;
}

void *with_hook_below(struct kmem_cache *s)
{
	return post(s, inner(s));
}

void *of_another(struct kmem_cache *s)
{
	return with_hook(s);
}

void *without(struct kmem_cache *s)
{
	return inner(s);
}

void *some_alloc(struct kmem_cache *s)
{
	return elsewhere(s);
}
"""


class Paths(unittest.TestCase):
    def graphs(self, **files):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        os.makedirs(f"{scratch.name}/mm")
        for name, text in files.items():
            with open(f"{scratch.name}/mm/{name}.c", "w", encoding="utf-8") as file:
                file.write(text)
        return Graphs(scratch.name)

    def test_functions_without_a_hook(self):
        self.assertEqual(self.graphs(slub=SLUB).unhooked(),
                         [("mm/slub.c", "some_alloc"), ("mm/slub.c", "without")])

    def test_chain(self):
        graphs = self.graphs(slub=SLUB)
        self.assertEqual(graphs.chain("without"), ["without", "inner", "take"])
        self.assertIsNone(graphs.chain("of_another"))

    def test_hooks_of_another_kind(self):
        files = {"page_alloc": """
struct page *alloc_pages(void)
{
	marker_call(page_alloc, page);
	return page;
}
""", "slub": """
void *kmalloc_large(void)
{
	return alloc_pages();
}

void *kmem_cache_realloc(void *object)
{
	marker_call(kfree, _RET_IP_, object);
	return NULL;
}
"""}
        self.assertEqual(self.graphs(**files).unhooked(),
                         [("mm/slub.c", "kmalloc_large"), ("mm/slub.c", "kmem_cache_realloc")])

    def test_another_size(self):
        text = """
void *vrealloc(struct vm_struct *vm)
{
	vm->nr_pages = 1;%s
	return vmalloc(vfree(vm));
}

void vfree(struct vm_struct *vm)
{
	marker_call(vm_area_free, vm);
}

void *vmalloc(void)
{
	marker_call(vmalloc, vm);
}
"""
        self.assertEqual(self.graphs(slub="", vmalloc=text % "").unhooked(),
                         [("mm/vmalloc.c", "vrealloc")])
        hook = "marker_call(vm_area_free, vm);"
        self.assertEqual(self.graphs(slub="", vmalloc=text % hook).unhooked(), [])

    def test_each_slab_allocator(self):
        graphs = self.graphs(slub=SLUB, slab="void *a(void)\n{\n\treturn ac->entry[0];\n}\n")
        self.assertIn(("mm/slab.c", "a"), graphs.unhooked())


if __name__ == "__main__":
    unittest.main()
