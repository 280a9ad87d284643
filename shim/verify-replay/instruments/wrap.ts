import { promisify } from 'node:util';

import { quietly } from '../quietly.js';
import type { Sighting, Watch } from '../watch.js';

export type Method = (this: unknown, ...args: unknown[]) => unknown;

/** What a call is, by its arguments; `undefined` if it is nothing that the check looks at. */
export type Describe = (args: readonly unknown[], self: unknown) => Sighting | undefined;

/** What instrumented functions call to do their work is seen as a part of it. */
let depth = 0;

/**
 * The function with something before each call. It does, returns and throws what the original does, whatever happens
 * in `before`, and has its name, length and other properties.
 */
export function wrapped(
    original: Method,
    before: (args: readonly unknown[], self: unknown, below: object) => void
): Method {
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
        if (depth === 0) quietly(() => before(args, this, wrapper));
        depth++;
        try {
            return Reflect.apply(original, this, args);
        } finally {
            depth--;
        }
    };
    const properties: Record<PropertyKey, PropertyDescriptor> = Object.getOwnPropertyDescriptors(original);
    // What promisify makes of it does not call it; and what promisify has made of another one is its own.
    const custom = properties[promisify.custom];
    if (custom?.value === original) custom.value = wrapper;
    else if (typeof custom?.value === 'function') custom.value = wrapped(custom.value as Method, before);
    Object.defineProperties(wrapper, properties);
    return wrapper;
}

/** Has the watch see the calls of a method that can be replaced; one that this version of Node lacks is left out. */
export function instrument(owner: object, name: string, watch: Watch, describe: Describe): void {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== 'function') return;
    const wrapper = wrapped(original as Method, (args, self, below) => {
        if (!watch.active) return;
        const sighting = describe(args, self);
        if (sighting !== undefined) watch.saw(sighting, below);
    });
    replaceMethod(owner, name, wrapper);
}

/**
 * {@link instrument} for classes, called with `new` or without: the class is the same one behind a proxy, so `instanceof`
 * and subclasses hold.
 */
export function instrumentClass(
    owner: object,
    name: string,
    watch: Watch,
    describe: (args: readonly unknown[], isNew: boolean) => Sighting | undefined
): void {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== 'function') return;
    const look = (args: readonly unknown[], isNew: boolean, below: object): void => {
        if (depth > 0 || !watch.active) return;
        quietly(() => {
            const sighting = describe(args, isNew);
            if (sighting !== undefined) watch.saw(sighting, below);
        });
    };
    const traps: Required<Pick<ProxyHandler<Method>, 'construct' | 'apply'>> = {
        construct(target, args, newTarget) {
            look(args, true, traps.construct);
            return Reflect.construct(target, args, newTarget) as object;
        },
        apply(target, self, args) {
            look(args, false, traps.apply);
            return Reflect.apply(target, self, args);
        }
    };
    replaceMethod(owner, name, new Proxy(original as Method, traps));
}

/** Has `look` see what a diagnostics channel says, unless it is a part of what has been seen. */
export function whenOutermost(look: () => void): void {
    if (depth === 0) quietly(look);
}

/** Puts a function in the place of another one, as visible as that was. */
export function replaceMethod(owner: object, name: string, value: Method): void {
    const enumerable = Object.getOwnPropertyDescriptor(owner, name)?.enumerable ?? false;
    const property = { configurable: true, enumerable, writable: true, value };
    if (Reflect.defineProperty(owner, name, property)) return;
    process.emitWarning(`mcp-mrtr verify-replay: this version of Node does not let ${name} be watched`);
}
