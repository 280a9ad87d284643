import { fromJsonSchema, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type {
    ElicitResult,
    JsonSchemaType,
    JsonSchemaValidator,
    jsonSchemaValidator
} from '@modelcontextprotocol/server';

import type { ContentSchema } from './ask.js';

/** Compiled forms per validator. Bounded, for a message or a list of choices in a schema makes every form another. */
const compiled = new WeakMap<jsonSchemaValidator, Map<string, JsonSchemaValidator<unknown>>>();
const MAX_COMPILED = 128;

let common: jsonSchemaValidator | undefined;

/**
 * One validator for all servers that bring none of their own: each `Server` makes itself another, under
 * `createMcpHandler` one per request, and an engine costs more than all the checks it is made for. When it has compiled
 * {@link MAX_COMPILED} forms the `candidate` takes its place, for an engine never forgets one.
 */
export function commonValidator(candidate: jsonSchemaValidator): jsonSchemaValidator {
    if (common === undefined || (compiled.get(common)?.size ?? 0) >= MAX_COMPILED) common = candidate;
    return common;
}

/**
 * Checks accepted content against the form that was asked, with the push API's checks and error texts (DESIGN rule 9).
 * Content that is absent passes, as it did there.
 *
 * @param validator the one of the server, which its operator may have configured; the SDK's default, if absent.
 * @throws ProtocolError
 */
export function assertContentMatches(
    result: ElicitResult,
    requestedSchema: unknown,
    validator: jsonSchemaValidator = defaultValidator
): void {
    if (result.action !== 'accept' || !result.content || typeof requestedSchema !== 'object' || !requestedSchema)
        return;
    let problem: string | undefined;
    try {
        problem = compile(requestedSchema, validator)(result.content).errorMessage;
    } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new ProtocolError(ProtocolErrorCode.InternalError, `Error validating elicitation response: ${message}`);
    }
    if (problem !== undefined) throw mismatch(problem);
}

/** Accepted content as a Standard Schema reads it: checked, with defaults and transformations applied. */
export async function readContent(result: ElicitResult, schema: ContentSchema): Promise<ElicitResult> {
    if (result.action !== 'accept') return result;
    const outcome = await schema['~standard'].validate(result.content);
    if (outcome.issues !== undefined) throw mismatch(outcome.issues.map(({ message }) => message).join(', '));
    return { ...result, content: outcome.value as NonNullable<ElicitResult['content']> };
}

function mismatch(problem: string): ProtocolError {
    return new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Elicitation response content does not match requested schema: ${problem}`
    );
}

function compile(schema: JsonSchemaType, validator: jsonSchemaValidator): JsonSchemaValidator<unknown> {
    const forms = compiled.get(validator) ?? new Map<string, JsonSchemaValidator<unknown>>();
    compiled.set(validator, forms);
    // Under its id an engine keeps the first schema, and would check another form of that id with it.
    const { $id, ...anonymous } = schema;
    const text = JSON.stringify(anonymous);
    const known = forms.get(text);
    if (known !== undefined) return known;
    const form = validator.getValidator(anonymous);
    forms.set(text, form);
    const [oldest] = forms.keys();
    if (forms.size > MAX_COMPILED && oldest !== undefined) forms.delete(oldest);
    return form;
}

/** The default validator of the SDK, through the public function that uses it. */
const defaultValidator: jsonSchemaValidator = {
    getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
        const standard = fromJsonSchema<T>(schema);
        return input => {
            const outcome = standard['~standard'].validate(input);
            if (outcome instanceof Promise) throw new TypeError('The schema validates asynchronously');
            return outcome.issues === undefined
                ? { valid: true, data: outcome.value, errorMessage: undefined }
                : {
                      valid: false,
                      data: undefined,
                      errorMessage: outcome.issues.map(({ message }) => message).join(', ')
                  };
        };
    }
};
