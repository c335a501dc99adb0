import type { Configuration } from '../../config/configuration.ts';
import { closestName, quoted } from '../../config/suggest.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { ApiOperation, Connection, Owner, Provider } from '../../kind/provider.ts';
import { operationOf } from '../../manual/coverage.ts';
import { type Address, addressOf, escapeName } from '../../model/address.ts';
import { Problems } from '../../model/diagnostic.ts';
import { createMasking, type Masking } from '../../model/masking.ts';
import type { Port } from '../host.ts';
import { loadForAccount } from '../session/load-configuration.ts';
import { type AccountOptions, chooseScope, openAccount } from '../session/open-account.ts';
import { sourcesFor } from '../session/sources-for.ts';
import type { ScopeOptions, StackOptions } from '../stack-options.ts';
import { type AccountContext, findLineage, idsByKindOf, type LineageObject } from './find-lineage.ts';

/** An account that is only read, with what a configuration here knows of it. */
export interface ReadOnlyAccount {
  kinds: Kinds;
  configuration: Configuration;
  connection: Pick<Connection, 'send'>;
  owner: Owner;
  baseUrl: string;
  masking: Masking;
  operations: readonly ApiOperation[];
  context: AccountContext;
  close(): Promise<void>;
}

export type ReadingOptions = AccountOptions & ScopeOptions & Pick<StackOptions, 'ledger'>;

/** Opens an account by what the flags or a configuration here say. Throws `Problems`. */
export async function openReadOnlyAccount(
  provider: Provider,
  options: ReadingOptions,
  port: Port,
): Promise<ReadOnlyAccount> {
  const { host } = port.run;
  const kinds = kindsOf(provider.kinds);
  const configuration = await loadForAccount(kinds, options, host, sourcesFor(options, host));
  const masking = createMasking();
  const account = await openAccount(provider, chooseScope(configuration, options), options, port, masking);
  const { connection, owner, baseUrl, close } = account;
  const surroundings = { connection, owner, kinds, configuration, options, host };
  return {
    ...{ kinds, configuration, connection, owner, baseUrl, masking, context: surroundings, close },
    operations: await provider.operations(),
  };
}

/** An object that an action or a lookup is about. */
export interface ActionSubject {
  address: Address;
  ids: Map<string, string>;
  /** It, and all that it is in, from the outermost on. */
  lineage: LineageObject[];
}

/**
 * Finds the object of a kind that somebody named: by its address, or by its name alone where its kind stands at the top. Throws `Problems` where
 * there is none, or it is of another kind.
 */
export async function findSubject(
  given: string,
  on: string,
  surroundings: AccountContext,
): Promise<ActionSubject> {
  const { section, parent } = surroundings.kinds.get(on)!;
  const isName = parent === undefined && !given.includes('/');
  const address = isName ? addressOf(undefined, section, [escapeName(given)]) : given;
  const places = await findLineage(address, surroundings);
  const { kind } = places.at(-1)!;
  if (kind !== on)
    throw new Problems('asked/about', `${address} is a ${kind}, but a ${on} is needed here`, {
      hint: `an address looks like ${addressFormOf(on, surroundings.kinds)}`,
    });
  return { address, ids: idsByKindOf(places), lineage: places };
}

/** The form of a kind's addresses: `projects/NAME/domains/NAME`. */
export function addressFormOf(name: string, kinds: Kinds): string {
  const { section, parent, key } = kinds.get(name)!;
  const own = key.length > 0 ? `${section}/NAME` : section;
  return parent === undefined ? own : `${addressFormOf(parent, kinds)}/${own}`;
}

/** The query parameters that the catalog has for an endpoint. */
export const queryParametersOf = (endpoint: string, operations: readonly ApiOperation[]): readonly string[] =>
  operationOf(endpoint, operations)?.query ?? [];

/** The one of that name. Throws `Problems` that say which was probably meant. */
export function requireNamed<T>(name: string, all: ReadonlyMap<string, T>, what: string, list: string): T {
  const found = all.get(name);
  if (found !== undefined) return found;
  const near = closestName(name, all);
  throw new Problems('asked/name', `there is no ${what} ${quoted(name)}`, {
    hint: near === undefined ? `\`${list}\` lists all` : `did you mean \`${near}\`?`,
  });
}
