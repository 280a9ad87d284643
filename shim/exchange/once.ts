import { AsyncLocalStorage } from 'node:async_hooks';

import { OnceValueError } from './errors.js';
import type { OnceOutcome } from './journal.js';

/** Whose `once` runs, and inside which other one. */
interface Scope {
    readonly owner: object;
    readonly around: Scope | undefined;
}

const scope = new AsyncLocalStorage<Scope>();

/**
 * Whether the caller runs inside the function of a `once` of this owner, where asks are refused on both eras. Of this
 * one, for a queue may run the work of one call in the context of another.
 */
export function insideOnce(owner: object): boolean {
    for (let at = scope.getStore(); at !== undefined; at = at.around) if (at.owner === owner) return true;
    return false;
}

/** Runs `fn` as the body of a `once` and never rejects: the outcome is what every attempt will see. */
export async function runOnce(owner: object, key: string, fn: () => unknown): Promise<OnceOutcome> {
    try {
        return recordValue(key, await scope.run({ owner, around: scope.getStore() }, fn));
    } catch (error) {
        return recordFailure(error);
    }
}

/** {@link runOnce} for synchronous code. */
export function runOnceSync(owner: object, key: string, fn: () => unknown): OnceOutcome {
    try {
        const value = scope.run({ owner, around: scope.getStore() }, fn);
        if (value instanceof Promise) {
            value.catch(() => undefined);
            throw new OnceValueError(key, '', 'a promise; onceSync is for synchronous functions, use once');
        }
        return recordValue(key, value);
    } catch (error) {
        return recordFailure(error);
    }
}

/** The recorded value, or throws the recorded failure. A fresh copy, so that no attempt can change the record. */
export function replayOutcome(outcome: OnceOutcome): unknown {
    if ('failure' in outcome) {
        const { name, message, code } = outcome.failure;
        throw Object.assign(new Error(message), { name }, code !== undefined && { code });
    }
    return outcome.value === undefined ? undefined : JSON.parse(JSON.stringify(outcome.value));
}

function recordValue(key: string, value: unknown): OnceOutcome {
    refuseLossyJson(key, value, '', []);
    return { value: value === undefined ? undefined : JSON.parse(JSON.stringify(value)) };
}

function recordFailure(error: unknown): OnceOutcome {
    if (!(error instanceof Error)) return { failure: { name: 'Error', message: textOf(error) } };
    const code: unknown = 'code' in error ? error.code : undefined;
    return {
        failure: {
            name: error.name,
            message: error.message,
            ...((typeof code === 'string' || typeof code === 'number') && { code })
        }
    };
}

/** What was thrown, in words; an object without a prototype has none. */
function textOf(thrown: unknown): string {
    try {
        return String(thrown);
    } catch {
        return Object.prototype.toString.call(thrown);
    }
}

/** Refuses what JSON would silently drop or change, with its path: the second attempt would see another value. */
function refuseLossyJson(key: string, value: unknown, path: string, above: readonly object[]): void {
    switch (typeof value) {
        case 'function':
        case 'symbol':
        case 'bigint':
            throw new OnceValueError(key, path, `a ${typeof value}`);
        case 'number':
            if (!Number.isFinite(value)) throw new OnceValueError(key, path, String(value));
            return;
        case 'object':
            break;
        default:
            return;
    }
    if (value === null) return;
    if (above.includes(value)) throw new OnceValueError(key, path, 'a cycle');
    if ('toJSON' in value && typeof value.toJSON === 'function') return;
    if (Array.isArray(value)) {
        value.forEach((item, index) => {
            if (item === undefined) throw new OnceValueError(key, `${path}[${index}]`, 'undefined in an array');
            refuseLossyJson(key, item, `${path}[${index}]`, [...above, value]);
        });
        return;
    }
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    if (kind !== 'Object') throw new OnceValueError(key, path, `of type ${kind}`);
    for (const [name, member] of Object.entries(value)) {
        refuseLossyJson(key, member, path === '' ? name : `${path}.${name}`, [...above, value]);
    }
}
