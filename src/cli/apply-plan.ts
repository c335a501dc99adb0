import { readOnly } from '../http/read-only.ts';
import { keepLedger } from '../ledger/keep-ledger.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { ApplyEvent, Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import { isRead } from '../model/plan.ts';
import { refresher } from '../observe/refresh.ts';
import { outcomeMarkdown } from '../report/markdown/outcome-markdown.ts';
import { outcomeDiagnostics } from '../report/outcome-diagnostics.ts';
import { outcomeText } from '../report/outcome-text.ts';
import { planJson } from '../report/plan-json.ts';
import { outcomeLines } from '../report/terraform/apply-lines.ts';
import { execute } from '../run/execute.ts';
import { addStepSummary, annotate } from './actions-run.ts';
import { openDeliveries } from './deliveries.ts';
import { makeHome } from './home.ts';
import { remoteOf } from './ledger-place.ts';
import type { StackOptions } from './options.ts';
import type { Planned } from './plan-session.ts';
import { progressFor } from './progress.ts';
import { requireKey, type Session } from './session.ts';
import { stopOnSignals } from './stopping.ts';
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
  const { lease, host } = session;
  const { now } = host.clock;
  if (!lease) throw new Error('a plan is carried out under the lease of its ledger only');
  const { plan, desired, live, ledger, digest } = planned;
  await lease.confirm();
  refuseOtherLedger(session, ledger);
  // The ledger is kept there, unless it has another place.
  if (options.ledger === undefined && remoteOf(options, host) === undefined) await makeHome(host);
  await requireKey(session, options);
  const deliveries = openDeliveries(session, planned, options, (text) => session.say(text));
  await deliveries.check();
  session.masking.show(() => openText(plan));
  const progress = progressFor(plan, terminal);
  const { store } = session;
  const keeper = keepLedger({
    // Whoever has the lease now works on what is in the ledger.
    store: { ...store, write: (next) => lease.confirm().then(() => store.write(next)) },
    generation: session.ledger.generation,
    onWritten: (kept) => {
      session.ledger = kept;
    },
  });
  const { say } = session;
  session.say = progress.note;
  const stopping = stopOnSignals(lease, host, { keep: keeper.flush, note: progress.note });
  const send = stopping.wrap(session.connection.send);
  const isLost = () => {
    stopping.stop();
    progress.note(
      'Stopping: the lease of the ledger was taken away. What is under way is finished, nothing new is started.',
    );
  };
  lease.lost.addEventListener('abort', isLost);
  try {
    const { outcome } = await execute({
      plan,
      live,
      ledger: { ...ledger, plan: digest },
      moves: planned.moves,
      kinds: session.kinds,
      secrets: session.secrets,
      masking: session.masking,
      key: session.key,
      inputs: session.configuration.desired.inputs,
      send: async (request, confirm) => {
        if (isRead(request)) return send(request);
        await lease.confirm();
        return send(request, async () => {
          await lease.confirm();
          await confirm?.();
        });
      },
      quota: session.connection,
      deliver: deliveries.deliver,
      parallelism: options.parallelism,
      onEvent: (event: ApplyEvent) => progress.show(event),
      save: keeper.keep,
      refresh: refresher({
        desired,
        ledger,
        kinds: session.kinds,
        send: readOnly(send),
        key: session.key,
        aliases: planned.aliases,
        before: live,
      }),
      now,
      stop: stopping.signal,
    });
    await keeper.close();
    progress.done();
    if (terminal.stream) terminal.stream(outcomeLines(plan, outcome, now()));
    else terminal.out(outcomeText(plan, outcome, { style: terminal.outStyle, now: now() }));
    annotate(outcomeDiagnostics(plan, outcome, now()), terminal);
    addStepSummary((room) => outcomeMarkdown(plan, outcome, room, now()), terminal);
    lease.lost.throwIfAborted();
    return outcome;
  } catch (error) {
    // That is why whatever failed did.
    lease.lost.throwIfAborted();
    throw error;
  } finally {
    // Also after a failure: what was done is kept if it can be.
    await keeper.close().catch(() => {});
    progress.done();
    session.say = say;
    lease.lost.removeEventListener('abort', isLost);
    stopping.done();
  }
}

/** All names and texts that a plan shows. */
function openText(plan: Planned['plan']): string {
  const texts: string[] = [];
  JSON.stringify(planJson(plan), (name, value) => {
    texts.push(name);
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
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
