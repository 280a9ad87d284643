export { bridgeHandler, bridgeStdio } from './bridge/index.js';
export type { OldServerFactory } from './bridge/index.js';
export type { BridgeOptions, RequestOrigin } from './bridge/options.js';
export type { HttpBridgeHandler, HttpBridgeOptions } from './bridge/http-entry.js';
export type { StdioBridgeHandle, StdioBridgeOptions } from './bridge/stdio-entry.js';
export type { KeyFor } from './bridge/relay.js';
export type { ConnectableServer } from './bridge/link/memory-link.js';

export { createMrtr } from './handler/create-mrtr.js';
export type { AttachOptions, Mrtr, StateVerifier } from './handler/create-mrtr.js';
export type { MrtrOptions, RoundEvent, StateErrorEvent } from './handler/options.js';
export type { AttachableServer } from './handler/attach.js';

export type { JsonCopy, Need, NeedContext } from './handler/need.js';
export type { Resumable, ResumableOptions } from './handler/resumable-types.js';
export { need } from './handler/running.js';

export { elicit, elicitUrl, listRoots, sample } from './handler/builders.js';
export type { ElicitOptions, ElicitUrlParams, TypedElicitResult, TypedFormParams } from './handler/builders.js';
export type { Ask } from './handler/ask.js';

export { clientCapabilities } from './handler/capabilities.js';
export type { CapabilitiesOf, CapabilitySource } from './handler/capabilities.js';

export { AskInsideOnceError, OnceValueError, ReplayDivergedError } from './exchange/errors.js';
export type { Divergence } from './exchange/errors.js';
export type { DivergeEvent } from './exchange/attempt-host.js';
export { isSuspended } from './exchange/unwinding.js';
export { FrameLostError } from './park/errors.js';
export type { LostFrame } from './park/errors.js';
export { InvalidStateError, StateTooLargeError } from './state/errors.js';
export type { StateFault } from './state/errors.js';
export type { Secret } from './state/key-ring.js';
export { AttachedTooLateError, NotAttachedError, UnsupportedMethodError } from './handler/errors.js';

export type { CommitStore } from './commit/commit-store.js';
export type { CommitFault } from './commit/errors.js';
export { CommitStoreError, OutcomeUnknownError, UsedStateError } from './commit/errors.js';
export { createMemoryCommitStore } from './commit/memory-commit-store.js';
export type { MemoryCommitStoreOptions } from './commit/memory-commit-store.js';
export { createRedisCommitStore } from './commit/redis-commit-store.js';
export type { RedisCommands, RedisCommitStoreOptions } from './commit/redis-commit-store.js';
