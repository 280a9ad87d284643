import type { CallExpression } from 'ts-morph';
import { calleeName } from './syntax.js';

/** Whether a call is `attach(…)` or `resumable(…)`, also under the name that a migration gives where its own is taken. */
export function isRuntimeCall(call: CallExpression, name: 'attach' | 'resumable'): boolean {
    const called = calleeName(call);
    return called === name || called === `mrtr${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
