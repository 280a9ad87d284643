import { answerIgnoredLint } from './answer-ignored/lint.js';
import { askAfterReturnLint } from './ask-after-return/lint.js';
import { askHoldingLockLint } from './ask-holding-lock/lint.js';
import { askInClosedMethodLint } from './ask-in-closed-method/lint.js';
import { askInLoopLint } from './ask-in-loop/lint.js';
import { askInsideOnceLint } from './ask-inside-once/lint.js';
import { askOutsideRequestLint } from './ask-outside-request/lint.js';
import { clientCapabilitiesLint } from './client-capabilities/lint.js';
import { completionNotifierLint } from './completion-notifier/lint.js';
import { createMessageLint } from './create-message/lint.js';
import { duplicateKeyLint } from './duplicate-key/lint.js';
import { effectBeforeAskLint } from './effect-before-ask/lint.js';
import { effectBesideAskLint } from './effect-beside-ask/lint.js';
import { elicitInputLint } from './elicit-input/lint.js';
import { elicitationIdLint } from './elicitation-id/lint.js';
import { frameworkAskLint } from './framework-ask/lint.js';
import { listRootsLint } from './list-roots/lint.js';
import { migrationMarkerLint } from './migration-marker/lint.js';
import { onceLatchLint } from './once-latch/lint.js';
import { passedMethodLint } from './passed-method/lint.js';
import { rootsListChangedLint } from './roots-list-changed/lint.js';
import { sendRequestLint } from './send-request/lint.js';
import { separateRoundsLint } from './separate-rounds/lint.js';
import { sessionStateLint } from './session-state/lint.js';
import { stateBeforeAskLint } from './state-before-ask/lint.js';
import { swallowedAskLint } from './swallowed-ask/lint.js';
import { timerAroundAskLint } from './timer-around-ask/lint.js';
import { tooManyAsksLint } from './too-many-asks/lint.js';
import { uncheckedResponseLint } from './unchecked-response/lint.js';
import { unsealedStateLint } from './unsealed-state/lint.js';
import { unstableKeyLint } from './unstable-key/lint.js';
import { unusedSuppressionLint } from './unused-suppression/lint.js';
import { urlElicitationRequiredLint } from './url-elicitation-required/lint.js';
import { volatileQuestionLint } from './volatile-question/lint.js';
import { weakStateKeyLint } from './weak-state-key/lint.js';
import type { LintRule } from './lintRule.js';

/** All rules of `mcp-mrtr check`, in the order of their documentation. */
export const lintRules: readonly LintRule[] = [
    elicitInputLint,
    createMessageLint,
    listRootsLint,
    sendRequestLint,
    passedMethodLint,
    completionNotifierLint,
    urlElicitationRequiredLint,
    elicitationIdLint,
    rootsListChangedLint,
    clientCapabilitiesLint,
    sessionStateLint,
    frameworkAskLint,
    askOutsideRequestLint,
    askAfterReturnLint,
    askInClosedMethodLint,
    effectBeforeAskLint,
    effectBesideAskLint,
    stateBeforeAskLint,
    onceLatchLint,
    volatileQuestionLint,
    duplicateKeyLint,
    unstableKeyLint,
    askInLoopLint,
    askHoldingLockLint,
    timerAroundAskLint,
    swallowedAskLint,
    tooManyAsksLint,
    separateRoundsLint,
    answerIgnoredLint,
    askInsideOnceLint,
    unsealedStateLint,
    weakStateKeyLint,
    uncheckedResponseLint,
    migrationMarkerLint,
    unusedSuppressionLint
];

const byId: ReadonlyMap<string, LintRule> = new Map(lintRules.map(rule => [rule.id, rule]));

export const lintRule = (id: string): LintRule | undefined => byId.get(id);
