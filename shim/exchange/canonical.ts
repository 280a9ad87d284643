/**
 * JSON text that is the same for equal values: members sorted by name, `undefined` members left out, as
 * `JSON.stringify` would print everything else. Two questions or two sets of arguments are equal exactly when their
 * canonical texts are.
 *
 * @throws TypeError for values that JSON cannot hold (a bigint, a cycle).
 */
export function canonicalJson(value: unknown): string {
    return textOf(value, undefined) ?? 'null';
}

/** The objects around a value, the nearest first. */
interface Around {
    readonly value: object;
    readonly around: Around | undefined;
}

/** `undefined` for what `JSON.stringify` leaves out. */
function textOf(value: unknown, around: Around | undefined): string | undefined {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    for (let outer = around; outer !== undefined; outer = outer.around) {
        if (outer.value === value) throw new TypeError('A value with a cycle has no canonical JSON');
    }
    const inside = { value, around };
    if (hasToJson(value)) return textOf(value.toJSON(), inside);
    if (Array.isArray(value)) return `[${value.map(item => textOf(item, inside) ?? 'null').join(',')}]`;
    const members = [];
    for (const name of Object.keys(value).sort()) {
        const text = textOf((value as Record<string, unknown>)[name], inside);
        if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
    }
    return `{${members.join(',')}}`;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
    return 'toJSON' in value && typeof value.toJSON === 'function';
}
