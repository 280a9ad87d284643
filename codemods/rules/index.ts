import { attachServer } from './attach-server/rule.js';
import { clientCapabilities } from './client-capabilities/rule.js';
import { completionNotifier } from './completion-notifier/rule.js';
import { createMessage } from './create-message/rule.js';
import { elicitInput } from './elicit-input/rule.js';
import { httpEntry } from './http-entry/rule.js';
import { lateRegistration } from './late-registration/rule.js';
import { listRoots } from './list-roots/rule.js';
import { once } from './once/rule.js';
import { passedMethod } from './passed-method/rule.js';
import { resumableHandler } from './resumable-handler/rule.js';
import { rootsLifecycle } from './roots-lifecycle/rule.js';
import type { Rule } from './rule.js';
import { sendRequest } from './send-request/rule.js';
import { stdioEntry } from './stdio-entry/rule.js';
import { threadContext } from './thread-context/rule.js';
import { urlElicitationRequired } from './unsupported.js';

/** All rules, in the order in which their edits are made. Where two insert at one place, the earlier one is outside. */
export const rules: readonly Rule[] = [
    attachServer,
    resumableHandler,
    threadContext,
    once,
    elicitInput,
    createMessage,
    listRoots,
    sendRequest,
    clientCapabilities,
    rootsLifecycle,
    lateRegistration,
    stdioEntry,
    httpEntry,
    completionNotifier,
    urlElicitationRequired,
    passedMethod
];

export function ruleById(id: string): Rule | undefined {
    return rules.find(rule => rule.meta.id === id);
}
