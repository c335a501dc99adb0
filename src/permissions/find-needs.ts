/*
 * Derives what each command needs of a token with a configuration, from the requests of its kinds and actions.
 *
 * Terms
 *   need    a resource with the operations that read or write it. The resource is a kind, the account, a lookup or an action.
 *   scope   what a token is limited to: a project, a team, or nothing (`user`). The scopes of a need are those of the tokens that may call all of its operations.
 *   reach   the narrowest scope that contains all objects of a command. Operations do not matter.
 */

import type { ActionsAndLookups } from '../kind/action.ts';
import { exclusiveKinds, kindsReadWith } from '../kind/define-kind.ts';
import type { TokenRules, TokenScope } from '../kind/evidence.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { ApiOperation, Provider, Scope } from '../kind/provider.ts';
import { writeRequests } from '../kind/write.ts';
import { operationNameOf } from '../manual/coverage.ts';
import { requestsOf } from '../manual/kind-requests.ts';
import { type Endpoint, isRead } from '../model/request.ts';
import type { Desired, Resource } from '../model/resource.ts';

/** What a command needs of one kind of object. */
export interface Need {
  /** The name of a kind or of an action, `get NAME` for a lookup, or `account`. */
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
  /** True if it creates objects. A token that reaches none of these operations cannot apply a new object. */
  creates?: true;
}

/** What one command needs. */
export interface CommandNeeds {
  /** The words that call it: `plan`, `run redeploy`. */
  command: string;
  needs: Need[];
  /** The narrowest token that suffices. */
  scope: TokenScope;
  /** `project` for a configuration of one project. */
  reach: TokenScope;
  /** True if it needs a token that may change the account. */
  writes: boolean;
}

/** What the needs of commands are derived from. */
interface NeedsInput {
  desired: Desired;
  /** The account of the configuration: a personal one needs a token of the whole user account. */
  platform: Scope | undefined;
  kinds: Kinds;
  /** The reads by which every command finds its account. */
  accountReads: Provider['lookups'];
  operations: readonly ApiOperation[];
  actionsAndLookups: Pick<ActionsAndLookups, 'actions' | 'lookups'>;
  tokens: TokenRules;
}

/** From wide to narrow: a token of each scope may do everything that the ones after it may. */
const scopesByWidth: readonly TokenScope[] = ['user', 'team', 'project'];

/**
 * Returns what plan, apply, export, doctor and each `$then` action need of a token with this configuration. `trueup permissions` shows the
 * needs, and `trueup doctor` compares them with the token in use.
 */
export function findCommandNeeds(input: NeedsInput): CommandNeeds[] {
  const { desired, platform, kinds, tokens, accountReads } = input;
  const resources = [...desired.resources.values()];
  const isPersonal = platform !== undefined && 'personal' in platform;
  // `reach`: the narrowest scope of a token that contains all objects of a command.
  const reachOfAccount: TokenScope = isPersonal ? 'user' : 'team';
  // A token of one project cannot serve a configuration of two.
  const projectCount = resources.filter(({ kind }) => kind === tokens.limitedTo).length;
  const reach: TokenScope = !isPersonal && projectCount === 1 ? 'project' : reachOfAccount;
  const account = createNeed('account', 'read', accountReads, input);
  const tokenReads = createNeed('account', 'read', [...accountReads, ...Object.values(tokens.reads)], input);
  const kindReads = kindsOfSections(resources, kinds).map((kind) => createReadNeed(kind, input));
  const reads = [account, ...kindReads, ...createLookupNeeds(input)];
  // Objects with `$existing` are read and never written.
  const ownResources = resources.filter(({ meta }) => !meta.existing);
  const writes = kindsOfSections(ownResources, kinds).flatMap((kind) => createWriteNeed(kind, input) ?? []);
  const allReads = [...kinds.values()].map((kind) => createReadNeed(kind, input));
  return [
    toCommand('plan', reads, reach),
    toCommand('apply', [...reads, ...writes], reach),
    toCommand('export', [account, ...allReads], reachOfAccount),
    toCommand('doctor', [tokenReads, ...kindReads], reach),
    ...createActionNeeds(input).map((need) => toCommand(`run ${need.resource}`, [account, need], reach)),
  ];
}

/** Returns a need for each lookup of the configuration: to read the objects in which it searches. */
function createLookupNeeds(input: NeedsInput): Need[] {
  const uses = [...(input.desired.lookups?.values() ?? [])];
  return uses.flatMap(({ lookup: name }) => {
    const lookup = input.actionsAndLookups.lookups.get(name);
    return lookup ? createNeed(`get ${name}`, 'read', [lookup.endpoint], input) : [];
  });
}

/**
 * Returns a need (the API operations that a token must be able to call) for each action that some `$then` of the configuration asks for, by
 * name: to find its object, if it has to, and to run it. The whole need counts as writing, since running changes the account.
 */
function createActionNeeds(input: NeedsInput): Need[] {
  const resources = [...input.desired.resources.values()];
  const names = new Set(resources.flatMap(({ meta }) => (meta.actions ?? []).map(({ action }) => action)));
  return [...names].toSorted().flatMap((name) => {
    const action = input.actionsAndLookups.actions.get(name);
    if (!action) return [];
    const endpoints = [...(action.finds ? [action.finds.endpoint] : []), action.endpoint];
    return createNeed(name, 'write', endpoints, input);
  });
}

/**
 * Returns the kinds (object types) of these resources, and those of the sections that their `$exclusive` names,
 * because planning reads these sections, too, and deletes undeclared objects in them.
 */
function kindsOfSections(resources: readonly Resource[], kinds: Kinds): Kind[] {
  const names = new Set(
    resources.flatMap((resource) => [
      resource.kind,
      ...exclusiveKinds(resource, kinds).map(({ name }) => name),
    ]),
  );
  return [...kinds.values()].filter(({ name }) => names.has(name));
}

/**
 * Returns a command with its needs and the narrowest scope of a token that meets them all. The scope is never narrower than `reach`, the
 * narrowest scope that contains all objects of the command.
 */
function toCommand(command: string, needs: Need[], reach: TokenScope): CommandNeeds {
  // The account itself is found without reading it, if the token is limited to one project.
  const ownNeeds = needs.filter(({ resource }) => resource !== 'account');
  const isSufficient = (scope: TokenScope) => ownNeeds.every(({ scopes }) => scopes.includes(scope));
  const reachingScopes = scopesByWidth.slice(0, scopesByWidth.indexOf(reach) + 1);
  const scope = reachingScopes.findLast(isSufficient) ?? 'user';
  return { command, needs, scope, reach, writes: needs.some(({ access }) => access === 'write') };
}

/**
 * Returns the need to read the objects of a kind (object type): the API operations for that, and the lists of other kinds that planning may
 * read together with them. A token suffices (`scopes`) if it reaches those lists, and the kind's own endpoints or, where single objects can
 * be read without the list, that endpoint. The check whether an object is ready (`later.check`) does not count, since a plan goes on
 * without it.
 */
function createReadNeed(kind: Kind, input: NeedsInput): Need {
  const ownReads = readEndpointsOf(kind);
  const { single, later } = kind.read;
  const neededReads = single
    ? [single.endpoint]
    : ownReads.filter((endpoint) => endpoint !== later?.check?.endpoint);
  const lists = kindsReadWith(kind).flatMap((name) => input.kinds.get(name)?.read.endpoint ?? []);
  return {
    ...createNeed(kind.name, 'read', [...ownReads, ...lists], input),
    scopes: scopesReaching([...neededReads, ...lists], input.tokens),
  };
}

/**
 * Returns the need to write the objects of a kind (object type): the API operations that create, change and delete
 * them; undefined if there are none.
 */
function createWriteNeed(kind: Kind, input: NeedsInput): Need | undefined {
  const endpoints = requestsOf(kind).flatMap((request) => (isRead(request) ? [] : [request.endpoint]));
  const creating = kind.create ? writeRequests(kind.create).map(({ endpoint }) => endpoint) : [];
  return endpoints.length > 0 ? createNeed(kind.name, 'write', endpoints, input, creating) : undefined;
}

/**
 * Returns the endpoints by which a kind is read. Used for the needs of commands, and to find the answers about a kind in `trueup doctor`.
 */
export const readEndpointsOf = (kind: Kind): Endpoint[] =>
  requestsOf(kind)
    .filter(isRead)
    .map(({ endpoint }) => endpoint);

/**
 * Returns one need, for the list of `trueup permissions`: a command has to call these endpoints, so a token needs their operations, as the
 * API catalog names them. Also says which sorts of tokens (`scopes`) may call them. `resource`: what the need is about, such as a kind.
 * `creating`: the endpoints that create objects.
 */
function createNeed(
  resource: string,
  access: Need['access'],
  endpoints: readonly Endpoint[],
  { operations, tokens }: NeedsInput,
  creating: readonly Endpoint[] = [],
): Need {
  const named = endpoints.map((endpoint): [string, NeededOperation] => {
    const operation = operationNameOf(endpoint, operations);
    const creates = creating.includes(endpoint) ? { creates: true as const } : {};
    return [operation, { operation, scopes: tokens.reachOf(endpoint), ...creates }];
  });
  const scopes = scopesReaching(endpoints, tokens);
  return { resource, access, operations: [...new Map(named).values()], scopes };
}

/** Returns the scopes of tokens that may call all of these endpoints, widest first. */
const scopesReaching = (endpoints: readonly Endpoint[], tokens: TokenRules): TokenScope[] =>
  scopesByWidth.filter((scope) => endpoints.every((endpoint) => tokens.reachOf(endpoint).includes(scope)));
