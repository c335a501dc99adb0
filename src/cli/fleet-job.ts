import type { Job } from '../fleet/job.ts';
import { type Outcome, signedOutcome } from '../fleet/outcome.ts';
import { Refused, refusalOf, unmetNeed } from '../fleet/refusal.ts';
import { Problems } from '../model/diagnostic.ts';
import { cleanLine } from '../report/clean.ts';
import { inCheckout } from './fleet-checkout.ts';
import { doRound } from './fleet-round.ts';
import { runJob } from './run-job.ts';
import { mostSaid, type Result, type Workshop } from './workshop.ts';

/** Does one job, whatever it is, and gives back its outcome. It never rejects: what goes wrong is the outcome. */
export async function doJob(job: Job, attempt: number, shop: Workshop): Promise<Outcome | 'later'> {
  const { host, terminal, worker, key } = shop;
  const begun = host.clock.monotonic();
  const name = job.action === 'round' ? `round of ${job.repository}` : `${job.action} ${job.stack}`;
  const say = (text: string) => terminal.err(cleanLine(`${job.id.slice(0, 8)} ${name}: ${text}`));
  say(attempt === 0 ? 'started' : `started again, attempt ${attempt + 1}`);
  let result: Result | 'later';
  try {
    result = await resultOf(job, attempt, shop, say);
  } catch (error) {
    result = failedBy(error, attempt);
  }
  if (result === 'later') {
    say('postponed: the queue will retry it');
    return 'later';
  }
  const seconds = Math.round(host.clock.monotonic() - begun) / 1000;
  say(`${result.state}${result.said === undefined ? '' : `: ${result.said.split('\n')[0]}`}, ${seconds} s`);
  return signedOutcome({ ...result, job: job.id, worker, seconds }, key);
}

/** How often something is tried again that went wrong before or after the command itself: git, the queue and the store may be back then. */
const mostTries = 2;

/** What follows from an error beside the command: nothing was done that a repetition would do twice. */
function failedBy(error: unknown, attempt: number): Result | 'later' {
  if (error instanceof Refused) return { state: 'refused', said: error.message };
  if (attempt < mostTries) return 'later';
  const texts =
    error instanceof Problems ? error.diagnostics.map(({ message }) => message) : [(error as Error).message];
  return { state: 'failed', said: texts.join('\n').slice(0, mostSaid) };
}

async function resultOf(
  job: Job,
  attempt: number,
  shop: Workshop,
  say: (text: string) => void,
): Promise<Result | 'later'> {
  const refusal = refusalOf(job, shop);
  if (refusal !== undefined) throw new Refused(refusal);
  const repository = shop.repositories.get(job.repository)!;
  const mirror = await shop.mirrorOf(job.repository, repository.url);
  if (job.action === 'round') return doRound(job, { mirror, repository }, shop);
  const unmet = unmetNeed(job.needs, await shop.queue.outcomes(shop.lane, job.needs), shop.key);
  if (unmet)
    return {
      state: 'skipped',
      said: `it needs the job ${unmet.job}, which ${unmet.why === 'not done' ? 'was not done' : 'is not known to be done'}`,
    };
  if (shop.key && !(await mirror.isOn(job.commit, repository.branch)))
    throw new Refused(
      `the commit ${job.commit} is not on ${repository.branch}, and a worker with a key accepts no other`,
    );
  return inCheckout(job, job.commit, { mirror, under: shop.folder }, (place) =>
    runJob(place, job, attempt, { shop, repository, say }),
  );
}
