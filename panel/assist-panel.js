// What a module promises stands in its first line; this one is replaced by the element.
export {};
