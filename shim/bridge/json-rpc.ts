import type { ClientCapabilities, Implementation, ServerCapabilities } from '@modelcontextprotocol/server';

/** JSON-RPC 2.0 as both revisions of MCP speak it. */
export type MessageId = string | number;

export type Params = Readonly<Record<string, unknown>>;

export interface RpcRequest {
    readonly jsonrpc: '2.0';
    readonly id: MessageId;
    readonly method: string;
    readonly params?: Params | undefined;
}

export interface RpcNotification {
    readonly jsonrpc: '2.0';
    readonly method: string;
    readonly params?: Params | undefined;
}

export interface RpcError {
    readonly code: number;
    readonly message: string;
    readonly data?: unknown;
}

export type RpcResponse =
    | { readonly jsonrpc: '2.0'; readonly id: MessageId; readonly result: Params }
    | { readonly jsonrpc: '2.0'; readonly id: MessageId; readonly error: RpcError };

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** Whether this is a message, as far as one has to look to know where it goes. */
export function isRpcMessage(value: unknown): value is RpcMessage {
    if (!isRecord(value)) return false;
    if (typeof value['method'] === 'string') return value['id'] === undefined || isMessageId(value['id']);
    if (!isMessageId(value['id'])) return false;
    return isRecord(value['result']) || isRpcError(value['error']);
}

export function isRpcRequest(message: RpcMessage): message is RpcRequest {
    return 'method' in message && 'id' in message;
}

export function isRpcResponse(message: RpcMessage): message is RpcResponse {
    return !('method' in message);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isMessageId(value: unknown): value is MessageId {
    return typeof value === 'string' || typeof value === 'number';
}

function isRpcError(value: unknown): value is RpcError {
    return isRecord(value) && typeof value['code'] === 'number' && typeof value['message'] === 'string';
}

/** What an old server answered to `initialize`. */
export interface Initialized {
    readonly protocolVersion: string;
    readonly capabilities: ServerCapabilities;
    readonly serverInfo: Implementation;
    readonly instructions?: string;
}

/** Whom the old server is told it talks to. */
export interface ClientFacts {
    readonly capabilities: ClientCapabilities;
    readonly clientInfo: Implementation;
}
