/*
 * The operations that each command needs with a configuration, derived from the requests of its kinds and actions.
 *
 * A need is a kind (or the account, or an action) with the operations that read or write it. The scopes of a need are the scopes of tokens that may
 * call all of these operations.
 */

import type { DayTwo } from '../kind/action.ts';
import type { TokenRules, TokenScope } from '../kind/evidence.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { ApiOperation, Provider, Scope } from '../kind/provider.ts';
import { operationOf } from '../manual/coverage.ts';
import { requestsOf } from '../manual/kind-requests.ts';
import type { Endpoint } from '../model/request.ts';
import type { Desired } from '../model/resource.ts';

/** What a command needs of one kind of object. */
export interface Need {
  /** The name of a kind or of an action, or `account`. */
  resource: string;
  access: 'read' | 'write';
  operations: NeededOperation[];
  /** The scopes of tokens that suffice. */
  scopes: TokenScope[];
}

/** One operation of a need. */
export interface NeededOperation {
  /** As in the API catalog: `GET /v1/env`. */
  operation: string;
  /** The scopes of tokens that may call it. */
  scopes: readonly TokenScope[];
}

/** What one command needs. */
export interface CommandNeeds {
  /** The words that call it: `plan`, `run redeploy`. */
  command: string;
  needs: Need[];
  /** The narrowest token that suffices. */
  scope: TokenScope;
  /** True if it needs a token that may change the account. */
  writes: boolean;
}

/** What the needs of commands are derived from. */
export interface NeedsInput {
  desired: Desired;
  /** The account of the configuration: a personal one needs a token of the whole user account. */
  platform: Scope | undefined;
  kinds: Kinds;
  lookups: Provider['lookups'];
  operations: readonly ApiOperation[];
  actions: DayTwo['actions'];
  tokens: TokenRules;
}

/** A token of each scope may do everything that the ones after it may. */
const scopesByWidth: readonly TokenScope[] = ['user', 'team', 'project'];

/** Returns what plan, apply, export, doctor and each `$then` action of a configuration need, for `trueup permissions` and `trueup doctor`. */
export function findCommandNeeds(input: NeedsInput): CommandNeeds[] {
  const { desired, platform, kinds, actions, tokens } = input;
  const resources = [...desired.resources.values()];
  const declaredKinds = [...kinds.values()].filter(({ name }) =>
    resources.some((resource) => resource.kind === name),
  );
  const projects = resources.filter(({ kind }) => kind === tokens.limitedTo).length;
  const isPersonal = platform !== undefined && 'personal' in platform;
  // A token of one project cannot serve a configuration of two.
  const mostLimited: TokenScope = isPersonal ? 'user' : projects === 1 ? 'project' : 'team';
  const widest: TokenScope = isPersonal ? 'user' : 'team';
  const account = createNeed('account', 'read', input.lookups, input);
  const reads = [account, ...declaredKinds.map((kind) => createReadNeed(kind, input))];
  const writes = declaredKinds.flatMap((kind) => createWriteNeed(kind, input) ?? []);
  const tokenReads = createNeed('account', 'read', [...input.lookups, ...Object.values(tokens.reads)], input);
  const names = new Set(resources.flatMap(({ meta }) => (meta.actions ?? []).map(({ action }) => action)));
  return [
    toCommand('plan', reads, mostLimited),
    toCommand('apply', [...reads, ...writes], mostLimited),
    toCommand('export', [account, ...[...kinds.values()].map((kind) => createReadNeed(kind, input))], widest),
    toCommand('doctor', [tokenReads, ...reads.slice(1)], mostLimited),
    ...[...names].toSorted().flatMap((name) => {
      const action = actions.get(name);
      if (!action) return [];
      const { endpoint, finds } = action;
      const endpoints = [...(finds ? [finds.endpoint] : []), endpoint];
      return toCommand(`run ${name}`, [account, createNeed(name, 'write', endpoints, input)], mostLimited);
    }),
  ];
}

/** Returns a command with its needs and the narrowest token for them. `mostLimited`: the narrowest scope that covers the configuration at all. */
function toCommand(command: string, needs: Need[], mostLimited: TokenScope): CommandNeeds {
  // The account itself is found without reading it, if the token is limited to one project.
  const ownNeeds = needs.filter(({ resource }) => resource !== 'account');
  const isSufficient = (scope: TokenScope) => ownNeeds.every(({ scopes }) => scopes.includes(scope));
  const candidates = scopesByWidth.slice(0, scopesByWidth.indexOf(mostLimited) + 1);
  const scope = candidates.findLast(isSufficient) ?? 'user';
  return { command, needs, scope, writes: needs.some(({ access }) => access === 'write') };
}

/** Returns the need to read the objects of a kind. A list that a token cannot reach does not count if single objects can be read instead. */
function createReadNeed(kind: Kind, input: NeedsInput): Need {
  const endpoints = endpointsOf(kind, true);
  const need = createNeed(kind.name, 'read', endpoints, input);
  const { single } = kind.read;
  return single ? { ...need, scopes: [...input.tokens.reachOf(single.endpoint)] } : need;
}

/** Returns the need to write the objects of a kind; undefined if it has no writes. */
function createWriteNeed(kind: Kind, input: NeedsInput): Need | undefined {
  const endpoints = endpointsOf(kind, false);
  return endpoints.length > 0 ? createNeed(kind.name, 'write', endpoints, input) : undefined;
}

/** Returns the endpoints by which a kind is read, or those by which it is written. */
const endpointsOf = (kind: Kind, isRead: boolean): Endpoint[] =>
  requestsOf(kind).flatMap(({ endpoint }) => (endpoint.startsWith('GET ') === isRead ? [endpoint] : []));

/** Returns a need for these endpoints, named as in the API catalog. */
function createNeed(
  resource: string,
  access: Need['access'],
  endpoints: readonly Endpoint[],
  { operations, tokens }: NeedsInput,
): Need {
  const named = endpoints.map((endpoint): [string, NeededOperation] => {
    const catalogOperation = operationOf(endpoint, operations);
    const operation = catalogOperation
      ? `${catalogOperation.method} ${catalogOperation.path}`
      : endpoint.split('?')[0]!;
    return [operation, { operation, scopes: tokens.reachOf(endpoint) }];
  });
  const scopes = scopesByWidth.filter((scope) =>
    endpoints.every((endpoint) => tokens.reachOf(endpoint).includes(scope)),
  );
  return { resource, access, operations: [...new Map(named).values()], scopes };
}
