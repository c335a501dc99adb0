import { escapeName } from '../../src/model/address.ts';
import { canonicalJson } from '../../src/model/digest.ts';

/** One object of an account, as its owner would count them. */
export interface Item {
  /** What it is by, as long as it lives. */
  key: string;
  /** The id by which a plan names it, where the platform gave it one. */
  id?: string;
  /**
   * Its place below what it is in: `env/NAME@production`; of what is in nothing, its whole address. After a `/` at its end
   * comes the name of the second thing that it is in.
   */
  place?: string;
  /** What goes down with what: keys of other items. The first is the one that its place is in. */
  within: string[];
  /** The section of the configuration that it would stand in. */
  section: string;
  /** Several objects of the configuration may share it (rows of variables), or it is one of several of one (records). */
  shared?: true;
  /** Of a unit: its row and its place there, which stay when it gets another name. */
  unit?: string;
  /** What people wrote into it, without what the platform keeps for itself. */
  content: string;
}

// Times, versions and who wrote last change with every write, whoever it serves; who disabled a drain goes with its status.
const incidental =
  /At$|^updated|^version$|^revision$|^lastModified$|^versions$|^staged$|^refusals$|^disabled(By|Reason)$/;

/** JSON with sorted members, without those that are the platform's own. */
export function contentOf(value: unknown, without: string[] = []): string {
  const clean = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(clean);
    if (typeof given !== 'object' || given === null) return given;
    const members = Object.entries(given).filter(([name]) => !incidental.test(name));
    return Object.fromEntries(members.map(([name, item]) => [name, clean(item)]));
  };
  const own = typeof value === 'object' && value !== null && !Array.isArray(value);
  const kept = own
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !without.includes(name)))
    : value;
  return canonicalJson(clean(kept));
}

type Bare = Omit<Item, 'content'>;

export const topLevel = (section: string, id: string): Bare => ({
  key: `${section}:${id}`,
  id,
  section,
  within: [],
});

export const named = (section: string, id: string, name: string): Bare => ({
  ...topLevel(section, id),
  place: `${section}/${escapeName(name)}`,
});

export const inside = (container: string, section: string, name: string, id?: string): Bare => ({
  key: `${container}/${section}/${name}`,
  section,
  within: [container],
  // A unit says where it is behind its name.
  ...(id === undefined ? { place: `${section}/${name.split('@').map(escapeUnit).join('@')}` } : { id }),
});

const escapeUnit = (part: string, index: number) => (index === 0 ? escapeName(part) : part);

export const only = (container: string, section: string, value: unknown, without: string[] = []): Item => ({
  key: `${container}/${section}`,
  section,
  within: [container],
  place: section,
  content: contentOf(value, without),
});
