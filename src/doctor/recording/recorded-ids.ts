import { isObjectValue } from '../../model/value.ts';

/** The names of members that contain the id of an object. */
const isIdName = (name: string): boolean => /^(id|uid)$|(Id|_id)$/.test(name);

/**
 * Translates recorded ids into those of the twin. The platform and the twin create an object for the same request under different ids. A
 * later recorded request names it by the platform's id, so it can be sent to the twin only with the twin's id.
 */
export class RecordedIds {
  readonly #twinIds = new Map<string, string>();
  /** The ids of the recording that no object of the twin stands for. */
  readonly #unmatched = new Set<string>();
  readonly #sharedIds: ReadonlySet<string>;

  /**
   * `sharedIds`: ids that objects of the twin have, too. An object that the twin lacks can name such an id, for example that of its team, and
   * requests about the team can be compared nevertheless.
   */
  constructor(sharedIds: ReadonlySet<string> = new Set()) {
    this.#sharedIds = sharedIds;
  }

  /**
   * Learns the ids in two answers to the same request: ids at the same place name the same object. `twin`: the answer of the twin;
   * undefined if it refused the request. Then the twin lacks the objects that the recorded answer names.
   */
  learn(platform: unknown, twin: unknown): void {
    this.#pair(platform, twin, '');
  }

  /** Returns a text of a request, with the id of the twin if the text is a recorded id. */
  translate(text: string): string {
    return this.#twinIds.get(text) ?? text;
  }

  /**
   * Returns a recorded body, or any other JSON value, with the ids that the same objects have in the twin (a simulated platform), so that
   * it can be sent there.
   */
  translateValue(value: unknown): unknown {
    if (typeof value === 'string') return this.translate(value);
    if (Array.isArray(value)) return value.map((item) => this.translateValue(item));
    if (!isObjectValue(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.translate(name), this.translateValue(member)]),
    );
  }

  /**
   * True if a request in a recording names an object that the twin (the simulated platform) does not have, because the recording does not
   * show how it was created. The answers cannot be compared then.
   */
  namesUnmatched(value: unknown): boolean {
    if (typeof value === 'string') return this.#unmatched.has(value);
    if (Array.isArray(value)) return value.some((item) => this.namesUnmatched(item));
    return isObjectValue(value) && Object.values(value).some((member) => this.namesUnmatched(member));
  }

  /**
   * Learns which id of the twin (a simulated platform) belongs to which recorded id, from two values at the same place of both answers.
   * `name`: the member that has the values; only some members contain ids. A recorded id without a partner is remembered as unmatched.
   * Items of lists are paired by members such as their names.
   */
  #pair(platform: unknown, twin: unknown, name: string): void {
    if (typeof platform === 'string') {
      if (isIdName(name)) this.#pairId(platform, twin);
    } else if (Array.isArray(platform)) {
      const findItem = createItemFinder(Array.isArray(twin) ? twin : []);
      for (const item of platform) this.#pair(item, findItem(this.#identityOf(item)), name);
    } else if (isObjectValue(platform)) {
      const twinMembers = isObjectValue(twin) ? twin : {};
      for (const [member, value] of Object.entries(platform)) this.#pair(value, twinMembers[member], member);
    }
  }

  /**
   * Remembers the id of the twin for a recorded id, or that the twin has none for it: later requests that name it cannot be compared
   * (`namesUnmatched`). An id that was paired before keeps its partner. `#sharedIds` need none, because the twin has the same ids.
   */
  #pairId(recordedId: string, twinId: unknown): void {
    // An empty text names nothing. It would also stand for the empty step at the beginning of a path.
    if (recordedId === '' || this.#twinIds.has(recordedId) || this.#sharedIds.has(recordedId)) return;
    if (typeof twinId === 'string') {
      this.#twinIds.set(recordedId, twinId);
      this.#unmatched.delete(recordedId);
    } else this.#unmatched.add(recordedId);
  }

  /**
   * Returns the members, such as the name, by which an item of a recorded list is found in the list of the twin (a simulated platform),
   * with the ids of the twin in them. For an item that is no object, returns the item itself.
   */
  #identityOf(item: unknown): ItemIdentity {
    return isObjectValue(item)
      ? identifyingMembers.map((name) => toText(this.translateValue(item[name])))
      : toText(this.translateValue(item));
  }
}

/** The members by which items of two lists are recognised as the same object, if no request has paired them before. */
const identifyingMembers = ['id', 'uid', 'key', 'name', 'slug', 'type', 'target', 'value', 'url', 'email'];

/** The JSON of the identifying members of an object, in their order, or the JSON of any other item. */
type ItemIdentity = (string | undefined)[] | string | undefined;

const toText = (value: unknown): string | undefined => JSON.stringify(value);

/**
 * Creates the finder of a recorded object in a list of the twin (a simulated platform), which shows which id of the twin belongs to a
 * recorded id. It is the only item that agrees in the most identifying members or, for an item that is no object, the first equal one;
 * undefined without one. The identities of the list are made once, because each is compared with all those of the recorded list.
 */
function createItemFinder(candidates: readonly unknown[]): (identity: ItemIdentity) => unknown {
  const identities = candidates.map(
    (candidate): ItemIdentity =>
      isObjectValue(candidate)
        ? identifyingMembers.map((name) => toText(candidate[name]))
        : toText(candidate),
  );
  return (identity) => {
    if (!Array.isArray(identity)) return candidates[identities.indexOf(identity)];
    const scores = identities.map((candidate) =>
      Array.isArray(candidate)
        ? candidate.filter((text, index) => text !== undefined && text === identity[index]).length
        : 0,
    );
    const best = scores.reduce((most, score) => Math.max(most, score), 0);
    const isUnique = best > 0 && scores.filter((score) => score === best).length === 1;
    return isUnique ? candidates[scores.indexOf(best)] : undefined;
  };
}
