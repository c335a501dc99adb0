import type { Grade } from '../model/change.ts';
import { byText } from '../model/graph.ts';
import type { Endpoint } from '../model/request.ts';
import type { FieldSchemas } from './kind.ts';
import { type Input, type Lookup, withSchemas } from './lookup.ts';
import type { ApiObject } from './read.ts';

/** The values from which the body of an action can be made. */
export interface Sending {
  input: Input;
  /** The ids of the object that the action is about and of its parents, by kind. */
  ids: Readonly<Record<string, string>>;
  /** The values that `finds` took from the account right before the action is sent. */
  foundValues: Input;
  /** An id of this run. It tells the results of this run from those of other runs. */
  mark: string;
}

/**
 * The result of the read right before an action is sent: values for its request, the reason why there is nothing to do, or the unfinished
 * work that it has to wait for.
 */
type ActionInput = { values: Input } | { nothing: string } | { busy: string };

/** The time and the surroundings of the changes that an action follows; absent if the action is run by hand. */
interface AfterChanges {
  /** When they were done, in milliseconds since 1970. */
  since: number;
  /** The answer of `finds.contextEndpoint`; absent if it cannot be read. */
  contextAnswer?: ApiObject;
}

/** The declaration of something that is done once, and that no configuration can declare as a state. */
export interface Action {
  name: string;
  /** One sentence for the manual. */
  doc: string;
  /** The part of the platform that it belongs to: its heading in lists. */
  area: string;
  /** The operation in the spelling of the catalog. Its placeholders are names of kinds (`{project}`), of inputs and of found values. */
  endpoint: Endpoint;
  /** The kind of the object that it is about, which ADDRESS names. Absent if it is about the account. */
  on?: string;
  /** Its inputs. Those that the endpoint does not name go into the query if the catalog has such a parameter, otherwise into the body. */
  input: FieldSchemas;
  /** Returns the body. Default: the remaining inputs. */
  body?(sending: Sending): unknown;
  /**
   * The read right before the action is sent, because the account may change at any time. `take` returns values for the request, or why it
   * is not sent.
   */
  finds?: {
    endpoint: Endpoint;
    /** Read as well if the action follows changes. Its answer is `AfterChanges.contextAnswer`. */
    contextEndpoint?: Endpoint;
    take(answer: ApiObject, input: Input, after?: AfterChanges): ActionInput;
  };
  /** The work that it starts, which plans count: `build`. */
  starts?: string;
  /** The harm that it can do. `why` is the reason if it is not safe. */
  grade: Grade;
  why?: string;
  /** Its cost, for people; absent if it is free. */
  cost?: string;
  /** True if sending it twice has the same effect as sending it once. */
  repeatable?: true;
  /** The lookup that shows when the work is finished, and its input. */
  until?: {
    lookup: string;
    input(done: Sending & { answer: ApiObject }): Input;
    /**
     * True if the lookup shows a state, so that the answer of the action is not needed. If the state is reached already, the action is not
     * sent.
     */
    isState?: true;
  };
  /**
   * How to find the effect of a request without an answer: `lookup` with `input` is asked for an object that has the mark of this run.
   * `since`: when the request was sent, in milliseconds since 1970.
   */
  effectSearch?: {
    lookup: string;
    input(sent: { since: number }): Input;
    is(object: ApiObject, mark: string): boolean;
  };
  /** The member of the answer that is a secret and is shown only once. `--secret-to` names its destination. */
  shows?: string;
  /** The members of the answer that are printed. No other member can be selected, and a secret field is never shown. */
  output: FieldSchemas;
  /** The member of the answer with the object, if the object is not the answer itself. */
  item?: string;
  /**
   * True if a configuration may ask for it: it can be repeated or `until` shows that it was done, it costs
   * nothing, it is not irreversible, and its answer has no secret.
   */
  declarable?: true;
}

/** An action as its file declares it: its schemas are made on first use. */
interface ActionDeclaration extends Omit<Action, 'input' | 'output' | 'area'> {
  input?(): FieldSchemas;
  output?(): FieldSchemas;
}

/**
 * Declares an action: something that is done once, such as a redeployment; see `Action`. Throws if its members contradict each other. For
 * example, an action that costs money must not be `declarable`: a configuration could ask for it with `$then`. Called by each file of
 * actions of a provider.
 */
export function defineAction(declaration: ActionDeclaration): Omit<Action, 'area'> {
  const { name, grade, why, cost, declarable, shows, repeatable, until } = declaration;
  const createError = (fault: string) => new Error(`action ${name}: ${fault}`);
  if (grade !== 'safe' && why === undefined)
    throw createError('`why` is missing: what it does that is not safe');
  if (declarable && (cost !== undefined || shows !== undefined || grade === 'irreversible'))
    throw createError('it cannot be declarable: it buys something, shows a secret, or cannot be undone');
  if (declarable && !repeatable && !until)
    throw createError('it cannot be declarable: it is neither safe to repeat nor found by `until`');
  return withSchemas(declaration, {
    input: declaration.input ?? (() => ({})),
    output: declaration.output ?? (() => ({})),
  });
}

/** An operation that belongs to no kind, action or lookup, with the reason. `trueup api` can call it. */
export interface ApiEntry {
  /** The method and the path in the spelling of the catalog. */
  operation: string;
  why: string;
}

/** The actions, lookups and further operations of a provider, by name. */
export interface ActionsAndLookups {
  actions: ReadonlyMap<string, Action>;
  lookups: ReadonlyMap<string, Lookup>;
  byApi: readonly ApiEntry[];
}

/**
 * Collects the declarations of all areas (parts of the platform, the headings of lists) by name. Sorts them within an area, because the
 * order of a module's exports depends on how it is loaded. Throws if two have the same name. Used by a provider for everything that is no
 * kind. `byApi`: the operations that only `trueup api` can call, with the reasons.
 */
export function indexActionsAndLookups(
  actions: Readonly<Record<string, readonly Omit<Action, 'area'>[]>>,
  lookups: Readonly<Record<string, readonly Omit<Lookup, 'area'>[]>>,
  byApi: readonly ApiEntry[],
): ActionsAndLookups {
  return { actions: indexByName(actions), lookups: indexByName(lookups), byApi };
}

/**
 * Indexes the declarations of all areas by name, and sets the `area` of each. Throws if two have the same name. Used because commands and
 * plans look actions and lookups up by their names.
 */
function indexByName<T extends { name: string }>(
  areas: Readonly<Record<string, readonly Omit<T, 'area'>[]>>,
): Map<string, T> {
  const byName = new Map<string, T>();
  for (const [area, declarations] of Object.entries(areas)) {
    const sorted = [...(declarations as readonly { name: string }[])].sort((a, b) => byText(a.name, b.name));
    for (const declaration of sorted) {
      if (byName.has(declaration.name)) throw new Error(`there are two of the name ${declaration.name}`);
      // Not a copy, because copying would call the getters that make the schemas.
      const complete = Object.defineProperty(declaration, 'area', { value: area, enumerable: true });
      byName.set(declaration.name, complete as T);
    }
  }
  return byName;
}
