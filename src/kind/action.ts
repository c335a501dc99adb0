import type { Grade } from '../model/change.ts';
import { byText } from '../model/graph.ts';
import type { Endpoint } from '../model/request.ts';
import type { ApiObject, FieldSchemas } from './kind.ts';
import { type Input, type Lookup, withSchemas } from './lookup.ts';

/** The parts of a body. */
export interface Sending {
  input: Input;
  /** The ids of what it is about, by kind. */
  ids: Readonly<Record<string, string>>;
  /** The values that `finds` took from the account. */
  found: Input;
  /** An id of this run, which tells what this run made from what others made. */
  mark: string;
}

/**
 * The findings in the account right before an action is sent: values for its request; the reason why there is nothing to do; or the work
 * under way that it has to wait for.
 */
type ActionInput = { values: Input } | { nothing: string } | { busy: string };

/** The change that an action follows; absent if it is run by hand. */
interface AfterChanges {
  /** When they were done, in milliseconds since 1970. */
  since: number;
  /** The answer of `finds.beside`; absent where it cannot be read. */
  beside?: ApiObject;
}

/** Something that is done once, and that no configuration can declare as a state. */
export interface Action {
  name: string;
  /** One sentence for the manual. */
  doc: string;
  /** The part of the platform that it belongs to: the heading that it stands under. */
  area: string;
  /** The operation as the catalog has it, with the names of kinds (`{project}`), of inputs and of what was found in place of its placeholders. */
  endpoint: Endpoint;
  /** The kind whose object it is about: the ADDRESS. Without it, it is about the account. */
  on?: string;
  /** Its inputs. Those that the endpoint does not name go into the query if the catalog has such a parameter, else into the body. */
  input: FieldSchemas;
  /** The body, unless it is simply the rest of the input. */
  body?(sending: Sending): unknown;
  /** Read right before the action is sent, since it may change at any time. `beside`: an extra read if the action follows changes. */
  finds?: {
    endpoint: Endpoint;
    beside?: Endpoint;
    take(answer: ApiObject, input: Input, after?: AfterChanges): ActionInput;
  };
  /** The work that it sets going, for plans to count: `build`. */
  starts?: string;
  /** Its grade, and the reason if it is not safe. */
  grade: Grade;
  why?: string;
  /** Its cost, for people; absent if it is free. */
  cost?: string;
  /** Sending it twice does no more than sending it once. */
  repeatable?: true;
  /** Tells when the work is over: the lookup to ask, and its input. */
  until?: {
    lookup: string;
    input(done: Sending & { answer: ApiObject }): Input;
    /** The lookup shows a state, so no answer is needed: if that is reached already, the action is not sent. */
    isState?: true;
  };
  /**
   * Finds out whether a request without an answer arrived: asks `lookup` with `input` (`since`: when the request was sent, in milliseconds
   * since 1970) for an object that shows this run's mark.
   */
  lost?: {
    lookup: string;
    input(sent: { since: number }): Input;
    is(object: ApiObject, mark: string): boolean;
  };
  /** The member of the answer that is a secret, shown only once: `--secret-to` says where it goes. */
  shows?: string;
  /** The members of the answer that are told. Nothing else can be named, and a field with the secret trait is never shown. */
  output: FieldSchemas;
  /** The member of the answer that holds it. */
  item?: string;
  /** A configuration may ask for it: it can be repeated, or `until` tells that it was done; it buys nothing, and its answer holds no secret. */
  declarable?: true;
}

interface ActionDeclaration extends Omit<Action, 'input' | 'output' | 'area'> {
  input?(): FieldSchemas;
  output?(): FieldSchemas;
}

/** Declares an action; see `Action`. Throws if its members contradict each other. */
export function defineAction(declaration: ActionDeclaration): Omit<Action, 'area'> {
  const { name, grade, why, cost, declarable, shows, repeatable, until } = declaration;
  const wrong = (what: string) => new Error(`action ${name}: ${what}`);
  if (grade !== 'safe' && why === undefined) throw wrong('`why` is missing: what it does that is not safe');
  if (declarable && (cost !== undefined || shows !== undefined || grade === 'irreversible'))
    throw wrong('it cannot be declarable: it buys something, shows a secret, or cannot be undone');
  if (declarable && !repeatable && !until)
    throw wrong('it cannot be declarable: it is neither safe to repeat nor found by `until`');
  return withSchemas(declaration, {
    input: declaration.input ?? (() => ({})),
    output: declaration.output ?? (() => ({})),
  });
}

/** The operations that are neither a kind's nor an action nor a lookup, each with the reason: `trueup api` calls them. */
export interface ApiEntry {
  /** Method and path, as the catalog has them. */
  operation: string;
  why: string;
}

/** All that is done once, or only read, by name. */
export interface DayTwo {
  actions: ReadonlyMap<string, Action>;
  lookups: ReadonlyMap<string, Lookup>;
  byApi: readonly ApiEntry[];
}

/**
 * Collects the declarations of all areas by name, sorted within an area: the order of a module's exports depends on what loads it. Throws
 * if two have the same name.
 */
export function dayTwoOf(
  actions: Readonly<Record<string, readonly Omit<Action, 'area'>[]>>,
  lookups: Readonly<Record<string, readonly Omit<Lookup, 'area'>[]>>,
  byApi: readonly ApiEntry[],
): DayTwo {
  return { actions: indexByName(actions), lookups: indexByName(lookups), byApi };
}

function indexByName<T extends { name: string }>(
  areas: Readonly<Record<string, readonly Omit<T, 'area'>[]>>,
): Map<string, T> {
  const all = new Map<string, T>();
  for (const [area, of] of Object.entries(areas))
    for (const one of [...(of as readonly { name: string }[])].sort((a, b) => byText(a.name, b.name))) {
      if (all.has(one.name)) throw new Error(`there are two of the name ${one.name}`);
      // Its schemas are made when they are asked for.
      all.set(one.name, Object.defineProperty(one, 'area', { value: area, enumerable: true }) as T);
    }
  return all;
}
