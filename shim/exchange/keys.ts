/**
 * Names asks and `once` calls independently of timing (DESIGN rule 4): the author's key, and its occurrence from the
 * second on (`confirm`, `confirm#2`, …). Allocated synchronously, before any `await`, so that latency cannot reorder
 * the names.
 */
export class KeyAllocator {
    /** Most handlers ask under one key, and a parked frame would keep the map of it. */
    #first: string | undefined;
    #occurrences: Map<string, number> | undefined;

    /** @throws TypeError if the key is empty, not a string, ends as an occurrence does, or is `__proto__`. */
    allocate(authorKey: string): string {
        if (typeof authorKey !== 'string' || authorKey === '') {
            throw new TypeError('The key of an ask or a once must be a string that is not empty');
        }
        if (/#\d+$/.test(authorKey)) {
            throw new TypeError(`The key '${authorKey}' must not end in '#' and a number: that names an occurrence`);
        }
        // The SDK collects answers in a plain object, where this one would be lost.
        if (authorKey === '__proto__') throw new TypeError("The key '__proto__' cannot be answered");
        if (this.#first === undefined) return (this.#first = authorKey);
        this.#occurrences ??= new Map([[this.#first, 1]]);
        const occurrence = (this.#occurrences.get(authorKey) ?? 0) + 1;
        this.#occurrences.set(authorKey, occurrence);
        return occurrence === 1 ? authorKey : `${authorKey}#${occurrence}`;
    }
}
