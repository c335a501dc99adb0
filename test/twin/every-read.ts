import { type CatalogOperation, catalog } from '../../providers/hosting/catalog.ts';
import { servedOperations, type Twin } from '../../providers/hosting/twin/index.ts';
import { lists, nameOf } from '../../providers/hosting/twin/tables.ts';
import { send } from './client.ts';

/** A path as its versions share it: `/projects/{}/checks`. */
const shapeOf = (path: string) => path.replace(/^\/v\d+/, '').replace(/\{\w+\}/g, '{}');

const served = catalog.filter((operation) => servedOperations.includes(nameOf(operation)));
const reads = served.filter(({ method }) => method === 'GET');
const listed = reads.filter((operation) => lists[nameOf(operation)] !== undefined);

/** Placeholders, each with the segment before it, that name nothing that is listed. */
const fixed: Record<string, string> = {
  'config/{configVersion}': 'active',
  'invocations/{invocationId}': 'inv_web',
  'attempts/{attempt}': '1',
  'configuration/{id}': 'icfg_shop',
  'virtual-model-configs/{vmcSlug}': 'support',
  'stores/{id}': 'store_uploads',
  'installations/{integrationConfigurationId}': 'icfg_shop',
};

/** The list that an object is in which the path names after this. */
function listFor(path: string): CatalogOperation | undefined {
  const shape = shapeOf(path);
  const last = shape.split('/').at(-1)!;
  const named = (isIt: (shape: string) => boolean) => listed.find((one) => isIt(shapeOf(one.path)));
  return (
    named((one) => one === shape) ??
    // `/item/{}` is one of `/items`; `/domains/records/{}` one of `/domains/{}/records`.
    named((one) => one === `${shape}s`) ??
    named((one) => one.endsWith(`/${last}`) && one.startsWith(`/${shape.split('/')[1]}/`))
  );
}

/** Reads all that the account holds, as the lists name it: whatever is served and is in a list is read, and nobody writes down how. */
export class Reading {
  readonly #twin: Twin;
  /** By shape, a path that was answered. */
  readonly #read = new Map<string, { path: string; body: unknown }>();

  private constructor(twin: Twin) {
    this.#twin = twin;
  }

  /** Reads everything; `unread` has what no path of was answered. */
  static async of(twin: Twin): Promise<{ reading: Reading; unread: CatalogOperation[] }> {
    const reading = new Reading(twin);
    const unread: CatalogOperation[] = [];
    for (const operation of reads) if (!(await reading.#ask(operation))) unread.push(operation);
    return { reading, unread };
  }

  /** A path with what the account holds in place of its placeholders; `x` where nothing does. */
  concrete(path: string): string {
    const segments: string[] = [];
    const open: string[] = [];
    for (const segment of path.split('/')) {
      open.push(segment);
      if (!segment.startsWith('{')) segments.push(segment);
      else {
        const known = this.#read
          .get(shapeOf(open.join('/')))
          ?.path.split('/')
          .at(-1);
        segments.push(known ?? this.#candidates(open.slice(0, -1).join('/'), segment)[0] ?? 'x');
      }
    }
    return segments.join('/');
  }

  async #ask({ path }: CatalogOperation): Promise<{ path: string; body: unknown } | undefined> {
    const shape = shapeOf(path);
    let tries: string[][] = [[]];
    const open: string[] = [];
    for (const segment of path.split('/')) {
      const known = this.#read.get(shapeOf([...open, segment].join('/')));
      if (segment.startsWith('{') && !known) {
        const list = listFor(open.join('/'));
        if (list && !this.#read.has(shapeOf(list.path)) && shapeOf(list.path) !== shape)
          await this.#ask(list);
      }
      const candidates = !segment.startsWith('{')
        ? [segment]
        : known
          ? [known.path.split('/').at(-1)!]
          : this.#candidates(open.join('/'), segment);
      tries = tries.flatMap((one) => candidates.map((candidate) => [...one, candidate]));
      open.push(segment);
    }
    for (const one of tries) {
      const concrete = one.join('/');
      const [project] = this.#twin.account.projects;
      const named = `projectId=${project?.id}&project=${project?.name}&virtualModelSlug=support`;
      // Tokens are listed without a team.
      const scope = path.includes('/user/') ? 'personal' : 'slug=acme';
      const { status, body } = await send(this.#twin, 'GET', `${concrete}?${scope}&${named}`);
      if (status === 200) {
        if (!this.#read.has(shape)) this.#read.set(shape, { path: concrete, body });
        return { path: concrete, body };
      }
    }
    return undefined;
  }

  /** What may name one of the first objects of the list that is meant. */
  #candidates(before: string, placeholder: string): string[] {
    const name = placeholder.slice(1, -1);
    const known = fixed[`${before.split('/').at(-1)}/${placeholder}`];
    if (known !== undefined) return [known];
    const list = listFor(before);
    const answer = list && this.#read.get(shapeOf(list.path))?.body;
    if (!list || answer === undefined) return [];
    const member = lists[nameOf(list)]!;
    const all = (member === '' ? answer : (answer as Record<string, unknown>)[member]) as object[];
    const shown = all.slice(0, 3).flatMap((one) => stringsIn(one, /(id|name|slug|key)$/i));
    // A list keeps secrets back that are names.
    return [...shown, ...stringsIn(this.#twin.account, new RegExp(`^${name}$`))].map(encodeURIComponent);
  }
}

/** The strings that stand in a value, however deep, under a name like this. */
const stringsIn = (value: unknown, name: RegExp): string[] =>
  Object.entries(value ?? {}).flatMap(([key, one]) =>
    typeof one === 'object' ? stringsIn(one, name) : typeof one === 'string' && name.test(key) ? [one] : [],
  );
