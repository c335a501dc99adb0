import { catalog } from '../../providers/hosting/catalog.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { type Write, writeRequests } from '../../src/kind/write.ts';
import { operationOf } from '../../src/manual/coverage.ts';
import type { PlainSdk } from '../support/sample.ts';
import { samples } from '../support/samples.ts';
import { kinds } from '../support/world.ts';

/** The operations of the public client for the objects that a kind has in projects, by the catalog's ids. */
interface Plain extends PlainSdk {
  kind: string;
  create: string;
  update?: string;
  /** What the parameters are called that name the project and the object. */
  project: string;
  object: string;
}

function operationAt(write: Write) {
  const found = operationOf(writeRequests(write)[0]!.endpoint, catalog)!;
  return {
    id: found.operationId!,
    parameters: [...found.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
  };
}

function plainOf({ name, create, update, delete: remove }: Kind, sdk: PlainSdk): Plain {
  const [made, gone] = [operationAt(create!), operationAt(remove!)];
  const [project, object] = [made.parameters[0]!, gone.parameters.at(-1)!];
  return {
    kind: name,
    create: made.id,
    ...(update && { update: operationAt(update).id }),
    project,
    object,
    ...sdk,
  };
}

/** Those of all kinds whose sample says so. */
export const plainKinds: Plain[] = Object.entries(samples).flatMap(([kind, { sdk }]) =>
  sdk ? [plainOf(kinds.get(kind)!, sdk)] : [],
);
