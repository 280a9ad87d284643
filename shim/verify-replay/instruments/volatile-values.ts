import crypto from 'node:crypto';

import { quietly } from '../quietly.js';
import type { Watch } from '../watch.js';
import { instrument } from './wrap.js';

/** Times and random values. They are passed on as they are; what is seen is where they were read. */
export function instrumentVolatileValues(watch: Watch): void {
    const owners: readonly [owner: object, prefix: string, names: readonly string[]][] = [
        [Math, 'Math', ['random']],
        [Date, 'Date', ['now']],
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

/** `new Date()` and `Date()`: the class is the same one behind a proxy, so `instanceof` and subclasses hold. */
function instrumentDate(watch: Watch): void {
    const look = (api: string, below: object): void => {
        if (watch.active) quietly(() => watch.saw({ kind: 'volatile', api }, below));
    };
    const traps: Required<Pick<ProxyHandler<DateConstructor>, 'construct' | 'apply'>> = {
        construct(target, args, newTarget) {
            if (args.length === 0) look('new Date', traps.construct);
            return Reflect.construct(target, args, newTarget) as Date;
        },
        apply(target, self, args) {
            look('Date', traps.apply);
            return Reflect.apply(target, self, args) as string;
        }
    };
    const watched = new Proxy(Date, traps);
    Object.defineProperty(Date.prototype, 'constructor', { configurable: true, writable: true, value: watched });
    globalThis.Date = watched;
}
