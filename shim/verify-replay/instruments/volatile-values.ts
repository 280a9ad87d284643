import crypto from 'node:crypto';

import type { Watch } from '../watch.js';
import { instrument, instrumentClass } from './wrap.js';

/** Times and random values. They are passed on as they are; what is seen is where they were read. */
export function instrumentVolatileValues(watch: Watch): void {
    const owners: readonly [owner: object, prefix: string, names: readonly string[]][] = [
        [Math, 'Math', ['random']],
        [Date, 'Date', ['now']],
        [Object.getPrototypeOf(performance) as object, 'performance', ['now']],
        [process.hrtime, 'process.hrtime', ['bigint']],
        [process, 'process', ['hrtime']],
        [crypto, 'crypto', ['randomBytes', 'randomInt', 'randomUUID']],
        [Object.getPrototypeOf(globalThis.crypto) as object, 'crypto', ['getRandomValues', 'randomUUID']]
    ];
    for (const [owner, prefix, names] of owners) {
        for (const name of names) {
            instrument(owner, name, watch, () => ({ kind: 'volatile', api: `${prefix}.${name}` }));
        }
    }
    instrumentDate(watch);
}

/** `new Date()` and `Date()`. */
function instrumentDate(watch: Watch): void {
    instrumentClass(globalThis, 'Date', watch, (args, isNew) =>
        isNew && args.length > 0 ? undefined : { kind: 'volatile', api: isNew ? 'new Date' : 'Date' }
    );
    Object.defineProperty(Date.prototype, 'constructor', { configurable: true, writable: true, value: Date });
}
