/**
 * JSON text that is the same for equal values: members sorted by name, `undefined` members left out, as
 * `JSON.stringify` would print everything else. Two questions or two sets of arguments are equal exactly when their
 * canonical texts are.
 *
 * @throws TypeError for values that JSON cannot hold (a bigint, a cycle).
 */
export function canonicalJson(value: unknown): string {
    return JSON.stringify(sorted(value, new Set()) ?? null);
}

function sorted(value: unknown, above: Set<object>): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (above.has(value)) throw new TypeError('A value with a cycle has no canonical JSON');
    if ('toJSON' in value && typeof value.toJSON === 'function') return sorted(value.toJSON.call(value), above);
    above.add(value);
    const result = Array.isArray(value)
        ? value.map(item => sorted(item, above))
        : // `fromEntries` defines members, so a member called `__proto__` stays one.
          Object.fromEntries(
              Object.entries(value)
                  .sort(([a], [b]) => (a < b ? -1 : 1))
                  .map(([name, member]) => [name, sorted(member, above)])
          );
    above.delete(value);
    return result;
}
