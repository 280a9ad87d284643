import type { ServerContext } from '@modelcontextprotocol/server';

import type { Ask } from './ask.js';

/** What a resumable handler can do beyond its `ServerContext`. The functions need no `this`. */
export interface Need {
    /**
     * Asks the client, and resolves with its answer: exactly what the push call of the same question returned.
     *
     * On 2026-07-28 the handler may be abandoned here and run again from the top with the next request of the client;
     * asks that are open at the same time go out together. On 2025-era connections the request is pushed, and the
     * handler runs once.
     *
     * @param key name of the question, unique in the handler; later occurrences of it are numbered. The client sees it.
     * @throws SdkError `CAPABILITY_NOT_SUPPORTED` if the client did not declare that it can be asked this.
     * @throws ProtocolError if accepted content does not match the schema of the form.
     */
    readonly need: <Result>(key: string, ask: Ask<Result>) => Promise<Result>;
    /**
     * Runs `fn` once per call, however often the handler runs again, and resolves with the JSON copy of its result: on
     * every attempt, the first included, so that all of them see the same. A failure is recorded too, with its name,
     * message and code. The result travels sealed in `requestState`: keep it small.
     *
     * @throws OnceValueError if the result is not plain JSON data.
     * @throws AskInsideOnceError for `need` inside of `fn`.
     */
    readonly once: <T>(key: string, fn: () => T | PromiseLike<T>) => Promise<JsonCopy<T>>;
    /** {@link once} for a value that synchronous code needs: an id, a date, a random number. */
    readonly onceSync: <T>(key: string, fn: () => T) => JsonCopy<T>;
    /** How many times the client has been asked before this attempt: 0 on the first, and on 2025-era connections. */
    readonly round: number;
    /** Whether the handler still runs over ground that an earlier attempt has covered. Read it where it is needed. */
    readonly replaying: boolean;
}

/** What of a `Need` stays the same while a handler runs. */
export type NeedFunctions = Pick<Need, 'need' | 'once' | 'onceSync'>;

/** The context of a resumable handler. */
export type NeedContext = ServerContext & Need;

/** `undefined` is a case of it, and so is the result of a function that returns nothing. */
type Nothing = ReturnType<() => void>;

/** What is left of a `T` after a round trip through JSON. */
export type JsonCopy<T> = unknown extends T
    ? T
    : T extends string | number | boolean | null | Nothing
      ? T
      : T extends { toJSON(): infer Json }
        ? JsonCopy<Json>
        : T extends bigint | symbol | ((...args: never[]) => unknown)
          ? never
          : T extends readonly unknown[]
            ? { [Index in keyof T]: JsonCopy<T[Index]> }
            : T extends object
              ? { [Name in keyof T as Serialised<Name, T[Name]>]: JsonCopy<T[Name]> }
              : T;

/** Members that JSON keeps: named by strings, and not functions. */
type Serialised<Name, Member> = Name extends string | number
    ? Member extends symbol | ((...args: never[]) => unknown)
        ? never
        : Name
    : never;
