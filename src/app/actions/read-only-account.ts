import { chooseScope, type ScopeOptions } from '../../config/choose-scope.ts';
import type { Configuration } from '../../config/configuration.ts';
import { closestName, quoted } from '../../config/suggest.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { ApiOperation, Connection, Owner, Provider } from '../../kind/provider.ts';
import { operationOf } from '../../manual/coverage.ts';
import { type Address, addressOf, escapeName } from '../../model/address.ts';
import { Problems } from '../../model/diagnostic.ts';
import { createMasking, type Masking } from '../../model/masking.ts';
import type { Port } from '../port.ts';
import { createSources } from '../session/create-sources.ts';
import { loadForAccount } from '../session/load-configuration.ts';
import { type AccountOptions, openAccount } from '../session/open-account.ts';
import type { StackOptions } from '../stack-options.ts';
import { type AccountContext, findLineage, idsByKindOf, type LineageObject } from './find-lineage.ts';

/** An account that is only read, with the configuration around the command. The configuration says which values are secret. */
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

/** The options that are needed to read an account. `ledger`: the ledger that names its objects. */
export type ReadingOptions = AccountOptions & ScopeOptions & Pick<StackOptions, 'ledger'>;

/** Opens the account that the flags name, or else the configuration in the current folder. Used by `get`, `wait` and `run`. Throws `Problems`. */
export async function openReadOnlyAccount(
  provider: Provider,
  options: ReadingOptions,
  port: Port,
): Promise<ReadOnlyAccount> {
  const { host } = port.run;
  const kinds = kindsOf(provider.kinds);
  const configuration = await loadForAccount(kinds, options, host, createSources(options, host));
  const masking = createMasking();
  const scope = chooseScope(configuration, options);
  const { connection, owner, baseUrl, close } = await openAccount(provider, scope, options, port, masking);
  return {
    kinds,
    configuration,
    connection,
    owner,
    baseUrl,
    masking,
    operations: await provider.operations(),
    context: { connection, owner, kinds, configuration, options, host },
    close,
  };
}

/** The object that an action or a lookup is about. */
export interface ActionSubject {
  address: Address;
  /** The ids of the object and of the objects that contain it, by kind. */
  ids: Map<string, string>;
  /** The object after the objects that contain it, from the outermost one. */
  lineage: LineageObject[];
}

/**
 * Finds the object that the user named for an action or a lookup, by its address, or by its name alone if its kind is at the top of the account.
 * `kindName`: the kind that it must have. Throws `Problems` if there is no such object, or if it is of another kind.
 */
export async function findSubject(
  nameOrAddress: string,
  kindName: string,
  context: AccountContext,
): Promise<ActionSubject> {
  const { section, parent } = context.kinds.get(kindName)!;
  const isName = parent === undefined && !nameOrAddress.includes('/');
  const address = isName ? addressOf(undefined, section, [escapeName(nameOrAddress)]) : nameOrAddress;
  const lineage = await findLineage(address, context);
  const { kind } = lineage.at(-1)!;
  if (kind !== kindName)
    throw new Problems('asked/about', `${address} is a ${kind}, but a ${kindName} is needed here`, {
      hint: `an address looks like ${addressFormOf(kindName, context.kinds)}`,
    });
  return { address, ids: idsByKindOf(lineage), lineage };
}

/** Returns the address and kind of a subject, by which plans and records name it. */
export const nameSubject = ({ address, lineage }: ActionSubject) => ({
  address,
  kind: lineage.at(-1)!.kind,
});

/** Returns the form of a kind's addresses, for hints: `projects/NAME/domains/NAME`. */
export function addressFormOf(kindName: string, kinds: Kinds): string {
  const { section, parent, key } = kinds.get(kindName)!;
  const form = key.length > 0 ? `${section}/NAME` : section;
  return parent === undefined ? form : `${addressFormOf(parent, kinds)}/${form}`;
}

/** Returns the query parameters that an endpoint takes, by the platform's catalog of operations. */
export const queryParametersOf = (endpoint: string, operations: readonly ApiOperation[]): readonly string[] =>
  operationOf(endpoint, operations)?.query ?? [];

/**
 * Returns the entry of a map that the user named. Throws `Problems` that suggest a similar name if there is none. `noun`: the entry for people, such as
 * `action`. `listCommand`: the command that lists all names.
 */
export function requireNamed<T>(
  name: string,
  entries: ReadonlyMap<string, T>,
  noun: string,
  listCommand: string,
): T {
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const similar = closestName(name, entries);
  throw new Problems('asked/name', `there is no ${noun} ${quoted(name)}`, {
    hint: similar === undefined ? `\`${listCommand}\` lists all` : `did you mean \`${similar}\`?`,
  });
}
