import { Node, SyntaxKind } from 'ts-morph';
import type { CallExpression } from 'ts-morph';
import { HARMLESS_WRAPPER, TIME_LIMIT } from '../facts/effects.js';
import { calledFunction } from './functionValues.js';
import { isPromise } from './jsonType.js';
import { homeOf, shortText } from './outsideCalls.js';
import { isFunctionNode, outermost, unwrap } from './syntax.js';
import type { FunctionNode } from './syntax.js';
import { referencesTo } from './references.js';

/** A call that is given an ask: as a function that it runs, or as a promise that it waits for. */
export interface Wrapper {
    call: CallExpression;
    /** Where a function of the project runs what it is given; empty where it is given a promise. */
    runs: { call: Node; fn: FunctionNode }[];
    /** What is wrong with handing an ask to it, as far as its own name and place say. */
    problem?: string;
}

/** The calls between a node and its frame that run a callback, or take a promise, with the node in it. */
export function wrappersAround(node: Node, frame: FunctionNode): Wrapper[] {
    const found: Wrapper[] = [];
    let child = node;
    for (let at = node.getParent(); at !== undefined && child !== frame; at = at.getParent()) {
        if (Node.isCallExpression(at) && at.getExpression() !== child) {
            const wrapper = wrapperOf(at, child);
            if (wrapper !== undefined) found.push(wrapper);
        }
        child = at;
    }
    return found;
}

function wrapperOf(call: CallExpression, argument: Node): Wrapper | undefined {
    const value = unwrap(argument);
    const index = call.getArguments().findIndex(one => one === argument);
    if (isFunctionNode(value)) return running(call, index, new Set());
    if (!isPromise(argument.getType())) return undefined;
    const own = calledFunction(call);
    const callee = unwrap(call.getExpression());
    const limits =
        own === undefined
            ? homeOf(callee).kind !== 'language' && TIME_LIMIT.test(callee.getText())
            : /\bPromise\.(?:race|any)\(|\bsetTimeout\(/.test(own.getText());
    return limits ? { call, runs: [], problem: `${shortText(callee)}(…) gives up waiting for it` } : undefined;
}

/** What becomes of a function that is given to a call. */
function running(call: CallExpression, index: number, seen: Set<Node>): Wrapper | undefined {
    const own = calledFunction(call);
    if (own !== undefined) return runningInProject(call, own, index, seen);
    const callee = unwrap(call.getExpression());
    const text = shortText(callee);
    const name = text.replace(/^.*\./, '');
    const home = homeOf(callee);
    if (home.kind === 'language' || home.kind === 'sdk') return undefined;
    if (home.kind === 'node' && home.name === 'async_hooks') return undefined;
    if (HARMLESS_WRAPPER.test(name)) return undefined;
    return {
        call,
        runs: [],
        problem: TIME_LIMIT.test(name)
            ? `${text}(…) gives up waiting for it`
            : `it runs inside ${text}(…), of which is not known what it holds meanwhile`
    };
}

function runningInProject(call: CallExpression, fn: FunctionNode, index: number, seen: Set<Node>): Wrapper | undefined {
    const parameter = fn.getParameters()[index];
    const name = parameter?.getNameNode();
    if (parameter === undefined || seen.has(parameter)) return undefined;
    seen.add(parameter);
    const unknown = (use: Node): Wrapper => ({
        call,
        runs: [],
        problem: `it is given to ${shortText(call.getExpression())}(…), which keeps it (${shortText(use)})`
    });
    if (!Node.isIdentifier(name) || parameter.isRestParameter()) return unknown(parameter);
    const runs: Wrapper['runs'] = [];
    for (const use of referencesTo(name)) {
        if (use === name || use.getFirstAncestorByKind(SyntaxKind.TypeQuery) !== undefined) continue;
        const outer = outermost(use);
        const parent = outer.getParent();
        if (Node.isCallExpression(parent) && parent.getExpression() === outer) {
            runs.push({ call: parent, fn });
            continue;
        }
        if (Node.isTypeOfExpression(parent)) continue;
        if (!Node.isCallExpression(parent)) return unknown(use);
        const handedOn = running(
            parent,
            parent.getArguments().findIndex(one => one === outer),
            seen
        );
        runs.push({ call: parent, fn });
        if (handedOn?.problem !== undefined) return { call, runs, problem: handedOn.problem };
        runs.push(...(handedOn?.runs ?? []));
    }
    return { call, runs };
}
