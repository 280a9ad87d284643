import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

import { quietly } from '../quietly.js';
import type { Watch } from '../watch.js';
import { replaceMethod } from './wrap.js';
import type { Method } from './wrap.js';

/** Timers: those are of interest that still run when a round is sent. */
export function instrumentTimers(watch: Watch): void {
    for (const name of ['setTimeout', 'setInterval'] as const) {
        const original = timers[name] as unknown as Method;
        const isGlobal = globalThis[name] === timers[name];
        replace(timers, name, (self, args, below) => {
            const timer = Reflect.apply(original, self, args);
            quietly(() => watch.sawTimer(name, () => isAlive(timer), below));
            return timer;
        });
        if (isGlobal) replaceMethod(globalThis, name, timers[name] as unknown as Method);
    }
    replaceWait(timersPromises, 'setTimeout', 'timers.promises.setTimeout', watch);
    const scheduler = Object.getPrototypeOf(timersPromises.scheduler) as object;
    replaceWait(scheduler, 'wait', 'timers.promises.scheduler.wait', watch);
}

function replaceWait(owner: object, name: string, api: string, watch: Watch): void {
    const wait = Reflect.get(owner, name) as Method;
    replace(owner, name, (self, args, below) => {
        const waiting = Reflect.apply(wait, self, args) as Promise<unknown>;
        let over = false;
        const end = (): void => void (over = true);
        waiting.then(end, end);
        quietly(() => watch.sawTimer(api, () => !over, below));
        return waiting;
    });
}

function replace(owner: object, name: string, run: (self: unknown, args: unknown[], below: object) => unknown): void {
    const original = Reflect.get(owner, name) as object;
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
        return run(this, args, wrapper);
    };
    Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(original));
    replaceMethod(owner, name, wrapper);
}

/** Node has no public way to ask a timer that; the field is as old as its `Timeout`. */
function isAlive(timer: unknown): boolean {
    const { _destroyed: destroyed } = timer as { _destroyed?: unknown };
    return destroyed === false;
}
