/*
 * Records what a session reads while it plans, and answers the same reads later without the account.
 */
import type { AccountEvent, Connection } from '../kind/provider.ts';
import { Problems } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/digest.ts';
import type { RequestCounts } from '../model/plan.ts';
import type { Pages, Request, Send } from '../model/request.ts';
import { revealed } from '../model/sealed.ts';
import type { Recorded, RecordedError, RecordedPages, RecordedRead, StackPart } from './snapshot.ts';
import { ReadTracker } from './track-reads.ts';

/** The part of a connection that planning uses. */
type ReadingConnection = Pick<Connection, 'send' | 'events' | 'call'>;

/** The reads of one session, in the order in which they began. */
export class ReadRecording {
  readonly #tracker = new ReadTracker();
  readonly #reads = new Map<string, { request: Request; answers: UncopiedAnswer[] }>();
  #events: Recorded<TrackedEvent[]> | undefined;
  readonly #counts: StackPart['counts'] = [];

  /**
   * Returns a connection to the account that records each read, for the snapshot of a plan. Equal reads count as one, with the first
   * answer, because a plan counts on an account that nobody changes meanwhile. Planning sends no writes (`readOnly`).
   */
  record<C extends ReadingConnection>(connection: C): C {
    const send: Send = (request, confirm) =>
      this.#recordRead(request, () => connection.send(request, confirm));
    const { events } = connection;
    return {
      ...connection,
      send,
      ...(events && { events: (since: number) => this.#recordEvents(() => events(since)) }),
    };
  }

  /**
   * Sends a read with `send`, records its answer or error, and returns the answer in a form that remembers which of its members are read.
   */
  async #recordRead(request: Request, send: () => Promise<unknown>): Promise<unknown> {
    const key = readKey(request);
    const read = this.#reads.get(key) ?? { request, answers: [] };
    this.#reads.set(key, read);
    try {
      const answer = await send();
      if (!isPages(answer)) {
        read.answers.push({ value: answer });
        return this.#tracker.track(answer);
      }
      const pages: RecordedPages = { items: [], counts: [], hasMore: false };
      read.answers.push(pages);
      return this.#recordPages(answer, pages);
    } catch (error) {
      read.answers.push({ error: toRecordedError(error) });
      throw error;
    }
  }

  /**
   * Reads the events of the account with `read`, records them or the error, and returns them in a form that remembers which of their texts
   * are looked for.
   */
  async #recordEvents(read: () => Promise<AccountEvent[]>): Promise<AccountEvent[]> {
    try {
      const events = await read();
      const value = events.map((event) => ({ ...event, about: new TrackedTexts(event.about) }));
      this.#events = { value };
      return value;
    } catch (error) {
      this.#events = { error: toRecordedError(error) };
      throw error;
    }
  }

  /**
   * Wraps `sent`, the counter of the requests of a run, so that each of its results is also recorded for the snapshot. A plan from the
   * snapshot sends no requests but has to print the same counts. It finds each count by the number of different reads at that moment
   * (`differentReads`), because it repeats the same reads.
   */
  recordCounts(sent: () => RequestCounts): () => RequestCounts {
    return () => {
      const counts = sent();
      this.#counts.push({ differentReads: this.#reads.size, sent: [...counts] });
      return counts;
    };
  }

  /**
   * Returns the recorded reads and events of a plan for its snapshot. An answer has only the members that the program has read, because
   * others may contain secrets. A request without any answer was interrupted, and is left out. Parameters and read members are in clear:
   * `makePart` replaces the secrets in them.
   */
  finish(): Pick<StackPart, 'reads' | 'events' | 'counts'> {
    const reads = [...this.#reads.values()].flatMap(({ request, answers }): RecordedRead[] => {
      if (answers.length === 0) return [];
      const { endpoint, params, items, pages, etag } = request;
      const openParams = revealed(params) as Request['params'];
      return [
        { request: { endpoint, params: openParams, items, pages, etag }, answer: this.#readPartOf(answers) },
      ];
    });
    return { reads, events: toRecordedEvents(this.#events), counts: this.#counts };
  }

  /**
   * Returns the first answer to a request with only the members that the program has read, in any of its equal answers, because others may
   * contain secrets that a snapshot must not have.
   */
  #readPartOf([answer, ...repeated]: readonly UncopiedAnswer[]): RecordedRead['answer'] {
    if ('error' in answer!) return answer;
    if ('items' in answer!) {
      const partOfItem = (item: unknown, index: number) =>
        this.#tracker.readPartOf(
          item,
          repeated.map((other) => ('items' in other ? other.items[index] : undefined)),
        );
      return { ...answer, items: answer.items.map(partOfItem) };
    }
    const otherValues = repeated.map((other) => ('value' in other ? other.value : undefined));
    return { value: this.#tracker.readPartOf(answer!.value, otherValues) };
  }

  /**
   * Returns a page of a list of the platform whose items remember what the program reads of them, because a snapshot may have only that.
   * Records in `pages` all items so far, so that a plan from the snapshot can read the list page by page as this one did.
   */
  #recordPages(page: Pages, pages: RecordedPages): Pages {
    const { readNext } = page;
    pages.items = page.items();
    pages.counts.push(pages.items.length);
    pages.hasMore = readNext !== undefined;
    const items = pages.items;
    return {
      items: () => items.map((item) => this.#tracker.track(item)),
      readNext:
        readNext &&
        (async () => {
          try {
            return this.#recordPages(await readNext(), pages);
          } catch (error) {
            pages.error = toRecordedError(error);
            throw error;
          }
        }),
    };
  }
}

/** True if an answer is the first page of a list. Another answer to such a request is an error of the platform, which the plan reports. */
const isPages = (answer: unknown): answer is Pages =>
  typeof (answer as Partial<Pages> | null | undefined)?.items === 'function';

/** An answer whose items or value are still those of the platform, with all members. */
type UncopiedAnswer = Recorded<unknown> | RecordedPages;

/** The texts of an event. Remembers those that the plan looked for: the others may be anything, such as the old value of a variable. */
class TrackedTexts extends Set<string> {
  readonly lookedFor = new Set<string>();

  /**
   * Looks up a text, and remembers it in `lookedFor` if it is there: a snapshot contains only the texts of this set that its plan looked
   * for.
   */
  override has(text: string): boolean {
    const isFound = super.has(text);
    if (isFound) this.lookedFor.add(text);
    return isFound;
  }
}

/** An event of the account while it is recorded. */
type TrackedEvent = AccountEvent & { about: TrackedTexts };

/** Returns events with lists instead of sets, because a file cannot have sets, and with those of their texts that the plan looked for. */
const toRecordedEvents = (events: Recorded<TrackedEvent[]> | undefined): StackPart['events'] =>
  events && 'value' in events
    ? { value: events.value.map((event) => ({ ...event, about: [...event.about.lookedFor] })) }
    : events;

/**
 * Returns the connection of a plan from a snapshot: it answers each request that was recorded, and refuses all others, so that the plan
 * needs no network. `sent` returns the counts of requests that the original plan had after as many different reads, so that both plans show
 * the same counts.
 */
export function replayReads({ reads, events, counts }: Pick<StackPart, 'reads' | 'events' | 'counts'>): {
  connection: Pick<Connection, 'send' | 'events' | 'call'>;
  sent: () => RequestCounts;
} {
  const answers = new Map(reads.map((read) => [readKey(read.request), read.answer]));
  const repeatedReads = new Set<string>();
  const send: Send = async (request) => {
    const key = readKey(request);
    const answer = answers.get(key);
    repeatedReads.add(key);
    if (!answer) throw new NotInSnapshot(`the answer to ${request.endpoint}`);
    if ('items' in answer) return replayPages(answer, 0, request);
    if ('error' in answer) throw fromRecordedError(answer.error);
    return structuredClone(answer.value);
  };
  return {
    connection: {
      send,
      call: async ({ method, path }) => {
        throw new NotInSnapshot(`the answer to ${method} ${path}`);
      },
      events: async () => {
        if (!events) throw new NotInSnapshot('the events of the account');
        if ('error' in events) throw fromRecordedError(events.error);
        return events.value.map((event) => ({ ...event, about: new Set(event.about) }));
      },
    },
    sent: () => new Map(counts.find((count) => count.differentReads === repeatedReads.size)?.sent),
  };
}

/** A plan from a snapshot needs something of the account that the snapshot does not have. */
class NotInSnapshot extends Error {
  /** `missing`: a noun phrase for people. */
  constructor(missing: string) {
    super(`the snapshot does not have ${missing}: make a new one with this configuration`);
  }
}

/**
 * Returns one page of a recorded list in the form in which the client would return it, for a plan from a snapshot: all items up to this
 * page, and how to read the next one. Reading beyond the recorded pages fails as it did when they were recorded, or because the snapshot
 * has no more.
 */
function replayPages(pages: RecordedPages, index: number, request: Request): Pages {
  const isLast = index === pages.counts.length - 1;
  const readNext = async () => {
    if (isLast)
      throw pages.error
        ? fromRecordedError(pages.error)
        : new NotInSnapshot(`the answer to ${request.endpoint}`);
    return replayPages(pages, index + 1, request);
  };
  return {
    items: () => structuredClone(pages.items.slice(0, pages.counts[index])),
    readNext: isLast && !pages.hasMore ? undefined : readNext,
  };
}

/** Returns a text that is equal for reads that are equal. */
const readKey = ({ endpoint, params = {}, items, pages, etag }: Request): string =>
  canonicalJson([endpoint, revealed(params), items ?? null, pages ?? null, etag ?? null]);

/**
 * Returns an error as data for a snapshot, so that a plan from it meets the same error. Leaves out the cause, and the refused parts of a
 * write (`failed`), because they are parts of an answer.
 */
function toRecordedError(error: unknown): RecordedError {
  const {
    message,
    cause: _cause,
    failed: _failed,
    diagnostics,
    ...members
  } = error as Error & { failed?: unknown; diagnostics?: unknown };
  return {
    message,
    members: JSON.parse(JSON.stringify(members)),
    problems: error instanceof Problems ? error.diagnostics : undefined,
  };
}

const fromRecordedError = ({ message, members, problems }: RecordedError): Error =>
  problems ? new Problems(problems) : Object.assign(new Error(message), members);
