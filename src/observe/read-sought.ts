import { idOf } from '../kind/define-kind.ts';
import type { ApiObject, Kind } from '../kind/kind.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import { allPages, type Pages } from '../model/pages.ts';
import type { Endpoint, Send } from '../model/plan.ts';
import type { Value } from '../model/value.ts';
import { type Answers, objectsIn } from './answers.ts';
import type { Sought } from './sought.ts';

/** So many objects are read by themselves rather than the pages that are left: how many these are nobody tells. */
const few = 3;

export interface SoughtReader {
  /** One that has `api.one`, and a plain list. */
  kind: Kind;
  /** For the placeholders of its endpoints. */
  params: Record<string, Value>;
  sought: Sought;
  send: Send;
  answers: Answers;
}

/**
 * The objects of a list as far as they are sought: pages are read until few are missing, and then each of these by itself. All of the
 * list where it ends before that, or a single read leaves a doubt; else `rest` reads all of it.
 */
export async function readSought(
  reader: SoughtReader,
): Promise<{ objects: ApiObject[]; rest?: () => Promise<ApiObject[]> }> {
  const { kind, params, sought, send } = reader;
  const { endpoint, items } = kind.read as { endpoint: Endpoint; items: string };
  let pages = (await send({ endpoint, params, items, pages: true })) as Pages;
  const found = () => objectsIn(pages.found(), kind);
  while (pages.more && sought.lacking(found()).length > few) pages = await pages.more();
  const listed = found();
  if (!pages.more) return { objects: listed };
  const rest = async () => objectsIn(await allPages(pages), kind);
  try {
    const all = [...listed, ...(await oneByOne(listed, reader))];
    const byId = new Map(all.map((object) => [idOf(kind, object), object]));
    return { objects: [...byId.values()].filter(sought.isMeant), rest };
  } catch {
    return { objects: await rest() };
  }
}

/** What lacks and is there. Throws where that cannot be told. */
async function oneByOne(listed: ApiObject[], reader: SoughtReader): Promise<ApiObject[]> {
  const { kind, sought } = reader;
  const byId = await Promise.all(
    sought
      .lacking(listed)
      .flatMap(({ ids }) => ids)
      .map((id) => single(id, reader, (object) => idOf(kind, object) === id)),
  );
  const known = byId.flat();
  const isNamed = (name: Address) => (object: ApiObject) => sought.naturalOf(object) === name;
  const byName = await Promise.all(
    sought
      .lacking([...listed, ...known])
      .flatMap(({ names }) => names)
      .map((name) => single(lastNameOf(name), reader, isNamed(name))),
  );
  return [...known, ...byName.flat()];
}

/** None if the platform says so; what is not `asked` for (a name may look like an id) says nothing. */
async function single(
  idOrName: string,
  { kind, params, answers }: SoughtReader,
  isAsked: (object: ApiObject) => boolean,
): Promise<ApiObject[]> {
  const { endpoint, item } = kind.read.one!;
  const asked = { ...params, id: idOrName };
  try {
    const [answer] = objectsIn([await answers.get(endpoint, asked)], kind);
    const [object] = objectsIn([item === undefined ? answer : answer![item]], kind);
    if (!isAsked(object!)) throw new Error(`${idOrName} is answered with something else`);
    answers.same(endpoint, asked, { ...params, id: idOf(kind, object!) });
    return [object!];
  } catch (error) {
    if ((error as { status?: number }).status === 404) return [];
    throw error;
  }
}
