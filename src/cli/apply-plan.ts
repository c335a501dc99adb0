import { apply } from '../apply/apply.ts';
import { handlesSecrets } from '../kind/digests.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { ApplyEvent, Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import { outcomeText } from '../report/outcome-text.ts';
import { openDeliveries } from './deliveries.ts';
import { makeHome } from './home.ts';
import { remoteOf } from './ledger-place.ts';
import { makeKey } from './make-key.ts';
import type { StackOptions } from './options.ts';
import type { Planned } from './plan-session.ts';
import { progressFor } from './progress.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/**
 * Carries out a plan that was agreed to: progress while it works, the ledger kept as it goes, and a summary. The session holds the
 * lease of its ledger; once that is lost, nothing more is written, and `Problems` say to whom.
 */
export async function applyPlan(
  session: Session,
  planned: Planned,
  options: StackOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { lease } = session;
  if (!lease) throw new Error('a plan is carried out under the lease of its ledger only');
  const { plan, live, ledger, digest } = planned;
  await lease.confirm();
  refuseOtherLedger(session, ledger);
  // The ledger is kept there, unless it has another place.
  if (options.ledger === undefined && remoteOf(options) === undefined) await makeHome();
  if (!session.key && plan.changes.some((change) => handlesSecrets(change, session.kinds)))
    session.key = await newKey(session);
  const deliveries = openDeliveries(session, planned, options, (text) => session.say(text));
  await deliveries.check();
  const stop = new AbortController();
  const progress = progressFor(plan, terminal);
  const keeper = keepLedger(session);
  const { say } = session;
  session.say = progress.note;
  const interrupted = () => {
    if (stop.signal.aborted) {
      void keeper.flush().then(lease.abandon, lease.abandon);
      return;
    }
    stop.abort();
    void keeper.flush().catch(() => {});
    progress.note(
      'Stopping: what is under way is finished, nothing new is started. Press Ctrl-C again to stop at once.',
    );
  };
  lease.onInterrupt = interrupted;
  const isLost = () => {
    stop.abort();
    progress.note(
      'Stopping: the lease of the ledger was taken away. What is under way is finished, nothing new is started.',
    );
  };
  lease.lost.addEventListener('abort', isLost);
  try {
    const { outcome, ledger: after } = await apply({
      plan,
      live,
      ledger: { ...ledger, plan: digest },
      kinds: session.kinds,
      secrets: session.secrets,
      key: session.key,
      inputs: session.configuration.desired.inputs,
      send: async (request) => {
        if (!request.endpoint.startsWith('GET ')) await lease.confirm();
        return session.connection.send(request);
      },
      quota: session.connection,
      deliver: deliveries.deliver,
      parallelism: options.parallelism,
      onEvent: (event: ApplyEvent) => progress.show(event),
      save: async (now, how) => {
        await keeper.keep(now);
        if (how?.atOnce) await keeper.flush();
      },
      stop: stop.signal,
    });
    await keeper.keep(after);
    await keeper.flush();
    progress.done();
    terminal.out(outcomeText(plan, outcome, { style: terminal.outStyle, now: Date.now() }));
    lease.lost.throwIfAborted();
    return outcome;
  } catch (error) {
    // That is why whatever failed did.
    lease.lost.throwIfAborted();
    throw error;
  } finally {
    // Also after a failure: what was done is kept if it can be.
    await keeper.flush().catch(() => {});
    progress.done();
    session.say = say;
    lease.lost.removeEventListener('abort', isLost);
    lease.onInterrupt = lease.abandon;
  }
}

/** Between the plan and the lease somebody else may have applied. */
function refuseOtherLedger({ ledger, store }: Session, planned: Ledger): void {
  if (ledger.generation === planned.generation) return;
  throw new Problems([
    problem(
      'ledger/moved',
      `the ledger ${store.place} was written by somebody else since the plan was shown`,
      {
        hint: 'nothing was changed; run it again to see the plan as it is now',
      },
    ),
  ]);
}

/** In CI a key that is made up now would be lost with the machine, and every secret would be unverified next time. */
async function newKey({ keyPath }: Session) {
  if (process.env.CI)
    throw new Problems([
      problem('key/missing', 'there is no key for the digests of secrets, and this plan has secrets', {
        hint: 'set TRUEUP_LEDGER_KEY to a secret of the CI system, for example from `openssl rand -base64 32`',
      }),
    ]);
  return makeKey(keyPath);
}

/** Writes the ledger as often as its place likes, one write at a time, and at the end. What could not be written is tried again. */
function keepLedger(session: Session) {
  let latest: Ledger | undefined;
  let writing: Promise<void> = Promise.resolve();
  let lastWrite = 0;
  let timer: NodeJS.Timeout | undefined;
  const write = async () => {
    const next = latest;
    if (!next) return;
    latest = undefined;
    lastWrite = Date.now();
    try {
      session.ledger = await session.store.write({ ...next, generation: session.ledger.generation });
    } catch (error) {
      latest ??= next;
      throw error;
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.catch(() => {}).then(write);
    return writing;
  };
  return {
    keep: async (ledger: Ledger) => {
      // A snapshot: the applier goes on changing its entries.
      latest = { ...ledger, entries: { ...ledger.entries } };
      const early = lastWrite + session.documents.pace - Date.now();
      if (early <= 0) await flush();
      // Nobody may come by for a long time: a request may wait for its rate limit.
      else timer ??= setTimeout(() => void flush().catch(() => {}), early);
    },
    flush,
  };
}
