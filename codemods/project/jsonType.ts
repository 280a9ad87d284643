import { Node } from 'ts-morph';
import type { Type } from 'ts-morph';

/** What a promise resolves with; the type itself where it is none. */
export function awaitedType(type: Type): Type {
    const argument = type.getSymbol()?.getName() === 'Promise' ? type.getTypeArguments()[0] : undefined;
    return argument ?? type;
}

export const isPromise = (type: Type): boolean => type.getSymbol()?.getName() === 'Promise';

/**
 * Why values of a type do not survive a round trip through JSON, in words; undefined when they do. `any` and `unknown`
 * could be anything, instances of classes lose their class, and a member that is `undefined` is lost.
 */
export function notJson(type: Type, at: Node, within: readonly Type[] = []): string | undefined {
    if (type.isAny()) return 'its type is any';
    if (type.isUnknown()) return 'its type is unknown';
    if (type.isUndefined() || type.isVoid()) return within.length === 0 ? undefined : 'a part of it may be undefined';
    if (type.isNever() || type.isNull() || type.isString() || type.isNumber() || type.isBoolean()) return undefined;
    if (type.isLiteral() || type.isEnum() || type.isTemplateLiteral())
        return type.isBigIntLiteral() ? 'it is a bigint' : undefined;
    if (type.isUnion()) return firstOf(type.getUnionTypes(), part => notJson(part, at, within));
    if (type.isTypeParameter()) return 'its type is not known here';
    if (within.includes(type)) return undefined;
    if (within.length > 8) return 'its type is too deep';
    const inner = [...within, type];
    if (type.isTuple()) return firstOf(type.getTupleElements(), part => notJson(part, at, inner));
    const element = type.getArrayElementType();
    if (element !== undefined) return notJson(element, at, inner);
    if (!type.isObject() && !type.isIntersection()) return 'it is no plain data';
    return notPlain(type, at, inner);
}

function notPlain(type: Type, at: Node, inner: readonly Type[]): string | undefined {
    if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) return 'it holds a function';
    const symbol = type.getSymbol();
    const declarations = symbol?.getDeclarations() ?? [];
    const name = symbol?.getName() ?? 'object';
    if (declarations.some(one => Node.isClassDeclaration(one) || Node.isClassExpression(one))) return `it is a ${name}`;
    if (declarations.some(one => Node.isInterfaceDeclaration(one) && isBuiltIn(one))) return `it is a ${name}`;
    const index = type.getStringIndexType() ?? type.getNumberIndexType();
    if (index !== undefined) {
        const reason = notJson(index, at, inner);
        if (reason !== undefined) return reason;
    }
    return firstOf(type.getProperties(), property => {
        const own = property.getTypeAtLocation(at);
        const parts =
            property.isOptional() && own.isUnion() ? own.getUnionTypes().filter(one => !one.isUndefined()) : [own];
        return firstOf(parts, part => notJson(part, at, inner));
    });
}

/** Dates, maps, errors, buffers, responses. `Record`, `Pick` and their kin are aliases and not found here. */
const isBuiltIn = (declaration: Node): boolean =>
    /\/lib\.[\w.]+\.d\.ts$|\/@types\/node\//.test(declaration.getSourceFile().getFilePath());

function firstOf<T>(items: readonly T[], read: (item: T) => string | undefined): string | undefined {
    for (const item of items) {
        const found = read(item);
        if (found !== undefined) return found;
    }
    return undefined;
}
