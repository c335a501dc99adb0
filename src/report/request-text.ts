import type { Address } from '../model/address.ts';
import { byKey, groupBy } from '../model/graph.ts';
import type { Operation, Plan } from '../model/plan.ts';
import type { Method, Request } from '../model/request.ts';
import { Sealed } from '../model/sealed.ts';
import { isHole, isRef, isResult, isSecretRef } from '../model/value.ts';
import type { PlanContext } from './plan-context.ts';
import { layOut, show, showHole, showResult } from './show.ts';
import { cleanLine } from './text.ts';

const maxBodyLines = 30;

/**
 * Formats the requests of an entry (a change, or several that read alike) for `plan --requests`, given by the
 * addresses of its changes. An operation that an earlier entry has printed, because it carries out both, is
 * only mentioned: `=> with projects/web, above`. Notes the printed operations in `context`.
 */
export function requestLinesOf(addresses: Address[], context: PlanContext): string[] {
  const operations = new Set(addresses.flatMap((address) => context.operationsByAddress.get(address) ?? []));
  const mentionedAddresses = new Set<Address>();
  return [...operations].flatMap((operation) => {
    const earlier = context.shownOperations.get(operation);
    if (earlier === undefined) {
      context.shownOperations.set(operation, addresses[0]!);
      return operationLines(operation, context);
    }
    if (mentionedAddresses.has(earlier)) return [];
    mentionedAddresses.add(earlier);
    return [
      context.style.quiet(`${context.style.unicode ? '=>' : 'sent'} with ${cleanLine(earlier)}, above`),
    ];
  });
}

/**
 * Formats the requests of an operation for a plan with `--requests`: method and path, and the body as JSON, cut after 30 lines unless the
 * report is verbose.
 */
export function operationLines(
  operation: Pick<Operation, 'requests'>,
  { style, verbose }: Pick<PlanContext, 'style' | 'verbose'>,
): string[] {
  return operation.requests.flatMap((request) => {
    const { method, path } = lineOf(request);
    const body = request.body === undefined ? [] : layOut(request.body, style.width - 9, 'json');
    const shown = verbose ? body : body.slice(0, maxBodyLines);
    const more = body.length - shown.length;
    return [
      `${style.quiet(style.unicode ? '=>' : 'sends')} ${style.strong(method)} ${path}`,
      ...shown.map((line) => `   ${style.quiet(line)}`),
      ...(more > 0 ? [`   ${style.quiet(`... ${more} more lines`)}`] : []),
    ];
  });
}

/**
 * Returns the method and the path of a request, for people. A placeholder becomes its value or, if the value is known only later, the
 * address from which it comes: `/v9/projects/{projects/web}`.
 */
export function lineOf({ endpoint, params = {} }: Request): { method: Method; path: string } {
  const [method, path] = endpoint.split(' ', 2) as [Method, string];
  return {
    method,
    path: cleanLine(path).replace(/\{(\w+)\}/g, (placeholder, name) =>
      Object.hasOwn(params, name) ? showParam(params[name]) : placeholder,
    ),
  };
}

/**
 * Counts the requests that an apply of a plan sends, in total and by method, for summaries. Each due action (`$then`) counts as one request
 * in the total. It is missing in the counts by method if its request is not known yet.
 */
export function countPlannedRequests({ operations, actions = [] }: Pick<Plan, 'operations' | 'actions'>): {
  total: number;
  methodCounts: string[];
} {
  const requests = operations.flatMap((operation) => operation.requests);
  const dueActions = actions.filter(({ state }) => state === 'due');
  return {
    total: requests.length + dueActions.length,
    methodCounts: methodCountsOf([...requests, ...dueActions.flatMap(({ request }) => request ?? [])]),
  };
}

/** Counts requests by method, for summaries: `2 PATCH`, `7 POST`. Sorted by method. */
export const methodCountsOf = (requests: readonly Request[]): string[] =>
  [...groupBy(requests, ({ endpoint }) => endpoint.split(' ', 1)[0]!)]
    .sort(byKey)
    .map(([method, { length }]) => `${length} ${method}`);

/**
 * Formats the value of a placeholder in the path of a request, for plans that show requests. Values that are still unknown, and secrets,
 * are names in braces.
 */
function showParam(value: unknown): string {
  if (value instanceof Sealed) return '{secret}';
  if (isRef(value))
    return `{${cleanLine(value.$ref)}${value.attr === 'id' ? '' : `.${cleanLine(value.attr)}`}}`;
  if (isSecretRef(value)) return `{secret.${cleanLine(value.$secret)}}`;
  if (isResult(value)) return `{${showResult(value)}}`;
  if (isHole(value)) return `{${showHole(value)}}`;
  return typeof value === 'object' ? show(value) : encodeURIComponent(String(value));
}
