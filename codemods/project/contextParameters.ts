import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression, ParameterDeclaration } from 'ts-morph';
import type { CallFact, ContextParameter, FunctionFact, Gap, Span } from '../facts/facts.js';
import { boundMethod } from './aliases.js';
import { makerOf } from './functionValues.js';
import type { Reached } from './reach.js';
import { chainRoot, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';
import { usesOf } from './references.js';

export const spanOf = (node: Node): Span => ({ start: node.getStart(), end: node.getEnd() });

export const isTypeScript = (node: Node): boolean => /\.[cm]?tsx?$/.test(node.getSourceFile().getFilePath());

/** Where a helper takes its context, and so where each of its callers has to put it. */
export type Placement =
    | { form: 'present'; index: number }
    /** The context takes the place of a parameter that nothing needs any more. */
    | { form: 'replace'; index: number }
    | { form: 'insert'; index: number };

const CONTEXT_TYPE = /^(?:ServerContext|NeedContext|RequestHandlerExtra\b.*|BaseContext)$/;

const CONTEXT_NAME = /^_?(?:ctx|extra)$/;

/**
 * The parameter through which a helper already gets the request's context: by its type, or, where nothing is typed, by
 * its name and because every caller hands on a context of its own. A bag that is only called `ctx` is none.
 */
function presentIndex({ fn, calls }: Reached): number | undefined {
    const index = fn.getParameters().findIndex((parameter, at) => {
        const annotation = parameter.getTypeNode()?.getText();
        if (annotation !== undefined) return CONTEXT_TYPE.test(annotation);
        if (!CONTEXT_NAME.test(parameter.getName()) || calls.length === 0) return false;
        return calls.every(({ call, caller }) => isContextOf(caller, call.getArguments()[at]));
    });
    return index < 0 ? undefined : index;
}

/** Whether an argument is the context parameter of the function that gives it. */
function isContextOf({ fn, registrations }: Reached, argument: Node | undefined): boolean {
    if (argument === undefined || !Node.isIdentifier(argument)) return false;
    const declaration = argument.getSymbol()?.getDeclarations()[0];
    const index = fn.getParameters().findIndex(parameter => parameter === declaration);
    if (index < 0) return false;
    return registrations.length > 0
        ? registrations.every(({ contextIndex }) => contextIndex === index)
        : CONTEXT_NAME.test(argument.getText());
}

/**
 * Decides where each function takes its context. A parameter is replaced when all that it is used for is to reach the
 * old push calls: as the root of a migrated call's receiver, or handed to another function that no longer needs it.
 */
export function placements(
    functions: readonly Reached[],
    isMigrated: (call: CallExpression) => boolean
): Map<Reached, Placement> {
    const placed = new Map<Reached, Placement>();
    for (const reached of functions) {
        if (reached.registrations.length > 0 && reached.calls.length === 0) continue;
        const present = presentIndex(reached);
        if (present !== undefined) placed.set(reached, { form: 'present', index: present });
        else {
            const parameters = reached.fn.getParameters();
            const optional = parameters.findIndex(one => one.isOptional() || one.isRestParameter());
            placed.set(reached, { form: 'insert', index: optional < 0 ? parameters.length : optional });
        }
    }
    // Optimistic: every parameter that may be replaced is, until a use is found that still needs it.
    const candidates = new Map<ParameterDeclaration, Reached>();
    for (const [reached, placement] of placed) {
        if (placement.form !== 'insert' || reached.registrations.length > 0) continue;
        for (const parameter of reached.fn.getParameters()) {
            if (
                Node.isIdentifier(parameter.getNameNode()) &&
                !parameter.isRestParameter() &&
                !parameter.isParameterProperty()
            ) {
                candidates.set(parameter, reached);
            }
        }
    }
    const byCall = callsByNode(functions);
    for (let changed = true; changed;) {
        changed = false;
        for (const [parameter, reached] of candidates) {
            if (usesAllow(parameter, reached, candidates, byCall, isMigrated)) continue;
            candidates.delete(parameter);
            changed = true;
        }
    }
    for (const [parameter, reached] of candidates) {
        placed.set(reached, { form: 'replace', index: parameterIndex(reached.fn, parameter) });
    }
    return placed;
}

function callsByNode(functions: readonly Reached[]): Map<Node, Reached> {
    return new Map(functions.flatMap(reached => reached.calls.map(({ call }) => [call as Node, reached] as const)));
}

const parameterIndex = (fn: FunctionNode, parameter: ParameterDeclaration): number =>
    fn.getParameters().indexOf(parameter);

function usesAllow(
    parameter: ParameterDeclaration,
    reached: Reached,
    candidates: Map<ParameterDeclaration, Reached>,
    byCall: Map<Node, Reached>,
    isMigrated: (call: CallExpression) => boolean
): boolean {
    const name = parameter.getNameNode();
    if (!Node.isIdentifier(name)) return false;
    const index = parameterIndex(reached.fn, parameter);
    const uses = usesOf(name);
    if (uses.length === 0) return false;
    const givenPlainly = reached.calls.every(({ call }) => {
        const argument = call.getArguments()[index];
        return argument !== undefined && isPlain(argument);
    });
    return (
        givenPlainly &&
        uses.every(use => {
            const call = use.getFirstAncestorByKind(SyntaxKind.CallExpression);
            if (call === undefined) return false;
            if (isMigrated(call) && chainRoot(call.getExpression()) === use) return true;
            const callee = byCall.get(call);
            if (callee === undefined) return false;
            const at = call.getArguments().findIndex(argument => unwrap(argument) === use);
            const target = at < 0 ? undefined : callee.fn.getParameters()[at];
            return target !== undefined && candidates.get(target) === callee;
        })
    );
}

/** A name, a member chain or a bound method: leaving it out changes nothing. */
function isPlain(node: Node): boolean {
    const expression = unwrap(node);
    if (boundMethod(expression) !== undefined) return true;
    const root = chainRoot(node);
    return Node.isIdentifier(root) || Node.isThisExpression(root);
}

/** A name for the context that nothing in the function uses for something else. */
export function contextName(fn: FunctionNode): string {
    const used = new Set(fn.getDescendantsOfKind(SyntaxKind.Identifier).map(node => node.getText()));
    return ['ctx', 'mcpCtx', 'needCtx'].find(name => !used.has(name)) ?? 'mrtrContext';
}

/** The context parameter of a helper at its placement. */
export function helperParameter(fn: FunctionNode, placement: Placement): ContextParameter | string {
    const parameters = fn.getParameters();
    const typed = isTypeScript(fn);
    switch (placement.form) {
        case 'present':
            return presentParameter(parameters[placement.index]);
        case 'replace': {
            const parameter = parameters[placement.index];
            if (parameter === undefined) return 'its parameters cannot be read';
            return { form: 'replace', name: contextName(fn), span: spanOf(parameter), typed };
        }
        case 'insert':
            return insertedParameter(fn, placement.index, typed, []);
    }
}

/** The context parameter of a callback that the SDK calls with the context at `index`. */
export function handlerParameter(
    fn: FunctionNode,
    index: number | undefined,
    inline: boolean,
    isMigrated: (call: CallExpression) => boolean
): ContextParameter | string {
    const parameters = fn.getParameters();
    if (index === undefined) {
        const named = parameters.find(one => /^_?(?:ctx|extra|context)$/.test(one.getName()));
        return named === undefined ? 'the position of its context parameter is not known' : presentParameter(named);
    }
    const parameter = parameters[index];
    const typed = isTypeScript(fn) && !inline;
    if (parameter === undefined) {
        const missing = ['_args', '_variables'].slice(0, Math.max(0, index - parameters.length));
        return insertedParameter(fn, parameters.length, typed, missing);
    }
    if (Node.isIdentifier(parameter.getNameNode())) return presentParameter(parameter);
    if (bindsOnlyPush(parameter, isMigrated)) {
        return { form: 'replace', name: contextName(fn), span: spanOf(parameter), typed };
    }
    return 'its context is taken apart in the parameter list; give it a name first';
}

/** `({ parcel }, { sendRequest })`: nothing is bound but push functions whose calls are all migrated. */
function bindsOnlyPush(parameter: ParameterDeclaration, isMigrated: (call: CallExpression) => boolean): boolean {
    const pattern = parameter.getNameNode();
    if (!Node.isObjectBindingPattern(pattern)) return false;
    return pattern.getElements().every(element => {
        const name = element.getNameNode();
        if (!Node.isIdentifier(name) || element.getDotDotDotToken() !== undefined) return false;
        return usesOf(name).every(use => {
            const call = use.getParent();
            return Node.isCallExpression(call) && call.getExpression() === use && isMigrated(call);
        });
    });
}

/**
 * A function that returns the handler may say so in its result type, which has no place for the context then. The type
 * keeps its own words: `Handler<A>` becomes the same with one parameter more.
 */
export function resultTypeEdit(fn: FunctionNode): FunctionFact['result'] {
    const type = makerOf(fn)?.getReturnTypeNode();
    if (type === undefined || !isTypeScript(fn)) return undefined;
    const written = type.getText();
    return {
        span: spanOf(type),
        text: `(...args: [...Parameters<${written}>, ctx: NeedContext]) => ReturnType<${written}>`
    };
}

function presentParameter(parameter: ParameterDeclaration | undefined): ContextParameter | string {
    if (parameter === undefined) return 'its parameters cannot be read';
    if (!Node.isIdentifier(parameter.getNameNode())) return 'its context is taken apart in the parameter list';
    const annotation = parameter.getTypeNode();
    const replace =
        annotation !== undefined && annotation.getText() !== 'NeedContext' && annotation.getText() !== 'any';
    return {
        form: 'present',
        name: parameter.getName(),
        ...(replace ? { annotation: spanOf(annotation) } : {})
    };
}

function insertedParameter(
    fn: FunctionNode,
    index: number,
    typed: boolean,
    missing: string[]
): ContextParameter | string {
    const parameters = fn.getParameters();
    const name = contextName(fn);
    const next = parameters[index];
    const previous = parameters[index - 1];
    const filler = missing.map(one => `${one}, `).join('');
    const paren = fn.getFirstChildByKind(SyntaxKind.OpenParenToken);
    if (paren === undefined) {
        if (previous === undefined) return 'its parameters cannot be read';
        const gap: Gap = { at: previous.getEnd(), before: `, ${filler}`, after: ')' };
        return { form: 'insert', name, gap, typed, open: previous.getStart() };
    }
    if (next !== undefined) {
        return { form: 'insert', name, gap: { at: next.getStart(), before: filler, after: ', ' }, typed };
    }
    const gap: Gap =
        previous === undefined
            ? { at: paren.getEnd(), before: filler, after: '' }
            : { at: previous.getEnd(), before: `, ${filler}`, after: '' };
    return { form: 'insert', name, gap, typed };
}

/** Where a call puts the context for a callee that takes it at a placement. */
export function contextArgument(call: CallExpression, placement: Placement): CallFact['argument'] | string {
    const args = call.getArguments();
    if (args.some(argument => Node.isSpreadElement(argument))) return 'the call spreads its arguments';
    if (placement.form === 'present') {
        const given = args[placement.index];
        return given === undefined ? 'the call gives no context' : { form: 'replace', span: spanOf(given) };
    }
    if (placement.form === 'replace') {
        const given = args[placement.index];
        return given === undefined ? 'the call leaves arguments out' : { form: 'replace', span: spanOf(given) };
    }
    if (args.length < placement.index) return 'the call leaves arguments out';
    const next = args[placement.index];
    if (next !== undefined) return { form: 'insert', gap: { at: next.getStart(), before: '', after: ', ' } };
    const previous = args.at(-1);
    if (previous !== undefined) return { form: 'insert', gap: { at: previous.getEnd(), before: ', ', after: '' } };
    const paren = call.getFirstChildByKind(SyntaxKind.OpenParenToken);
    if (paren === undefined) return 'the call cannot be read';
    return { form: 'insert', gap: { at: paren.getEnd(), before: '', after: '' } };
}
