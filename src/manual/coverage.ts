import type { Kind } from '../kind/kind.ts';
import type { ApiOperation } from '../kind/provider.ts';
import { groupBy } from '../model/graph.ts';
import type { Endpoint } from '../model/plan.ts';
import type { Style } from '../report/style.ts';
import { labelled, widthOf } from './columns.ts';
import { type KindRequest, type When, whens } from './kind-requests.ts';

/** An operation of the API, and the kinds that use it, each once. */
interface CoveredOperation extends ApiOperation {
  claims: Claim[];
  /** Every run reads it, to know the account. */
  isLookup?: true;
}

interface Claim {
  kind: string;
  when: When[];
}

interface Count {
  total: number;
  claimed: number;
}

/** How many of the API's operations some kind, or every run, uses. */
interface Coverage extends Count {
  /** Of those that read or write what a configuration can declare. */
  declarable: Count;
  groups: ({ group: string; operations: CoveredOperation[] } & Count)[];
}

/**
 * Tells which operations are claimed: what follows from the kinds' data and plans, what another operation does as well, and what every
 * run looks up. `operations` may be some of `all`.
 */
export function coverageOf(
  operations: readonly ApiOperation[],
  kinds: { kind: Kind; requests: KindRequest[] }[],
  lookups: readonly Endpoint[],
  all = operations,
): Coverage {
  const claims = kinds.flatMap(({ kind, requests }) =>
    requests.map(({ endpoint, when }) => ({
      operation: operationOf(endpoint, all),
      claim: { kind: kind.name, when },
    })),
  );
  const byOperation = groupBy(claims, ({ operation }) => operation);
  const lookedUp = new Set(lookups.map((endpoint) => operationOf(endpoint, all)));
  const covered = operations.map((operation): CoveredOperation => {
    const { group, method, path, operationId, isDeclarable, instead } = operation;
    const own = byOperation.get(operation);
    const of = own ?? (instead && byOperation.get(operationOf(instead.use, all)));
    const isLookup = lookedUp.has(operation);
    return {
      group,
      method,
      path,
      operationId,
      ...(isDeclarable ? { isDeclarable } : {}),
      claims: joined((of ?? []).map(({ claim }) => claim)),
      ...(of && !own && instead ? { instead } : {}),
      ...(isLookup ? { isLookup } : {}),
    };
  });
  const count = (of: CoveredOperation[]): Count => ({
    total: of.length,
    claimed: of.filter(isClaimed).length,
  });
  return {
    ...count(covered),
    declarable: count(covered.filter(({ isDeclarable }) => isDeclarable)),
    groups: [...groupBy(covered, ({ group }) => group)].map(([group, of]) => ({
      group,
      ...count(of),
      operations: of,
    })),
  };
}

const isClaimed = ({ claims, isLookup }: CoveredOperation): boolean => isLookup === true || claims.length > 0;

/** Several requests of a kind may be one operation: a list by state, for example. */
const joined = (claims: Claim[]): Claim[] =>
  [...groupBy(claims, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    when: whens.filter((when) => of.some((one) => one.when.includes(when))),
  }));

/** The operation that an endpoint is, whatever its placeholders are called; a word may stand where the API has a placeholder. */
export function operationOf(endpoint: string, operations: readonly ApiOperation[]): ApiOperation | undefined {
  const [method, target] = endpoint.replace(/\?.*/, '').split(' ') as [string, string];
  const words = target.split('/');
  const isOpen = (word: string) => word.startsWith('{');
  const fits = (isSame: (own: string, word: string) => boolean) =>
    operations.find((operation) => {
      const own = operation.path.split('/');
      return (
        operation.method === method &&
        own.length === words.length &&
        own.every((part, index) => part === words[index] || isSame(part, words[index]!))
      );
    });
  return fits((own, word) => isOpen(own) && isOpen(word)) ?? fits(isOpen);
}

/** Every operation of the API by group, with the kinds that use it, and totals. `isNamed`: and its name, by which it can be called. */
export function coverageText(
  { total, claimed, declarable, groups }: Coverage,
  { style, isNamed = false }: { style: Style; isNamed?: boolean },
): string {
  const width = widthOf(style);
  const blocks = groups.map(({ group, total, claimed, operations }) =>
    [
      `${style.strong(group)}  ${claimed} of ${total}`,
      ...labelled(
        operations.map((operation) => ({
          label: `  ${operation.method.padEnd(6)} ${operation.path}${isNamed && operation.operationId !== null ? `  ${operation.operationId}` : ''}`,
          paint: (label: string) => (isClaimed(operation) ? label : style.quiet(label)),
          cells: [
            isClaimed(operation)
              ? { text: claimWords(operation), paint: style.add }
              : { text: 'trueup api', paint: style.quiet },
          ],
        })),
        width,
        0.75,
      ),
    ].join('\n'),
  );
  return [
    ...blocks,
    style.strong(
      `${declarable.claimed} of ${declarable.total} operations that can be declared are claimed by kinds, and ${claimed - declarable.claimed} of the other ${total - declarable.total} are used; \`trueup api\` calls all ${total}.`,
    ),
  ].join('\n\n');
}

const claimWords = ({ claims, isLookup, instead }: CoveredOperation): string =>
  [
    ...(isLookup ? ['every run (account)'] : []),
    ...(instead
      ? [`${claims.map(({ kind }) => kind).join(', ')} (not sent: ${instead.why})`]
      : claims.map(({ kind, when }) => `${kind} (${when.join(', ')})`)),
  ].join('; ');
