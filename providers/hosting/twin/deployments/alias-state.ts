import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';

/** A host name that leads to a deployment, or on to another host. */
export interface Alias {
  uid: string;
  alias: string;
  ownerId: string;
  projectId: string;
  deploymentId: string;
  redirect: string | null;
  createdAt: number;
  updatedAt: number;
  /** The bypasses: under the secret of a link, the id or e-mail address of a person, or `*` for everybody. */
  protectionBypass: Record<string, Record<string, unknown>>;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'aliases', Alias> {}
}

/** Returns the owner's alias with this id or name, or throws 404. */
export function findAlias(call: Call, idOrAlias: string): Alias {
  const alias = call.account.aliases.find(
    (alias) =>
      alias.ownerId === call.owner.id && (alias.uid === idOrAlias || alias.alias === idOrAlias.toLowerCase()),
  );
  if (alias === undefined) throw notFound('Alias');
  return alias;
}
