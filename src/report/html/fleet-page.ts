import {
  batchTitle,
  byDanger,
  countsText,
  deletionsOf,
  type FleetBatch,
  type FleetJob,
  type FleetReport,
  jobsText,
  stateWords,
  sumChanges,
} from '../fleet/fleet-report.ts';
import { cleanLine, count } from '../text.ts';
import { html, type Markup, type Part } from './markup.ts';
import { htmlPage } from './page.ts';
import type { OutlineItem } from './toolbar.ts';

/** The style classes of jobs that need attention, by their state. */
const classes: Partial<Record<FleetJob['state'], string>> = {
  failed: 'destructive',
  refused: 'destructive',
  lost: 'destructive',
};

/**
 * Formats a fleet for `trueup fleet status --html` as one HTML page without other files: its jobs by batch, and its workers. `time` is in
 * milliseconds since 1970.
 */
export function fleetHtml({ batches, workers, schedules }: FleetReport, time: number): string {
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  const batchCount = batches.length === 1 ? '1 batch' : `${batches.length} batches`;
  const sum = `${batchCount}, ${count(alive, 'worker')}.`;
  const sections = batches.map((batch, index) => batchSectionOf(batch, `batch${index}`));
  return htmlPage({
    tool: 'trueup fleet',
    title: `Fleet: ${sum}`,
    header: html`
<h1>Fleet</h1>
<p class="headline">${sum}</p>
<p class="remark">${new Date(time).toISOString()}</p>${schedules.map(
      (schedule) => html`
<p class="remark">Drift of ${cleanLine(schedule.repository)}, ${cleanLine(schedule.stacks)}: at ${cleanLine(schedule.time)} (${cleanLine(schedule.zone)})</p>`,
    )}`,
    places: sections.map(({ place }) => place),
    main: [sections.map(({ markup }) => markup), workersMarkup(workers)],
    isLong: batches.length > 1,
  });
}

/** Formats the section of the fleet's page that lists the workers. False if there are none. */
const workersMarkup = (workers: FleetReport['workers']): Part =>
  workers.length > 0 &&
  html`
<section aria-labelledby="workers">
<h2 id="workers">Workers <span class="count">${workers.length}</span></h2>
<ul>${workers.map(
    ({ name, isAlive, running }) => html`
<li><code>${cleanLine(name)}</code>: ${isAlive ? `${running} running` : 'not heard of'}</li>`,
  )}
</ul></section>`;

/**
 * Formats the section of the fleet's page for a batch (jobs that were enqueued together), and its item for the outline. The jobs stand in
 * the order of `byDanger`: failed ones first, and of the finished ones those that delete something.
 */
function batchSectionOf(batch: FleetBatch, id: string): { markup: Markup; place: OutlineItem } {
  const jobs = [...batch.jobs].sort(byDanger);
  const sum = sumChanges(jobs);
  const label = cleanLine(batchTitle(batch));
  const markup = html`
<section aria-labelledby="${id}">
<h2 id="${id}">${label}</h2>
<p class="means">${jobsText(jobs)}. <code>${batch.id}</code></p>${
    sum &&
    html`
<p class="means">In all: ${cleanLine(countsText(sum))}</p>`
  }${
    batch.digest !== undefined &&
    html`
<p class="means">Digest of these plans: <code>${batch.digest}</code></p>`
  }
<ul>${jobs.map(jobItem)}
</ul></section>`;
  return { markup, place: { id, label, children: [] } };
}

/** Formats a job as an item of the list of its batch: state, name, result, and the facts of its run. */
function jobItem(job: FleetJob): Markup {
  const { id, state, name, isDrift, result, worker, seconds, retries } = job;
  const facts = [
    id.slice(0, 8),
    ...(worker === undefined ? [] : [cleanLine(worker)]),
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(retries > 0 ? [`started ${retries + 1} times`] : []),
  ];
  return html`
<li class="${jobClassOf(job)}"><b>${stateWords[state]}</b> <code>${cleanLine(name)}</code>${
    isDrift && ', changed outside'
  }${result !== undefined && `: ${cleanLine(result)}`} <span class="means">${facts.join(', ')}</span></li>`;
}

/**
 * Returns the style class of a job, which colours its item: by its state or, if it is finished, by whether it deletes anything or shows
 * drift.
 */
function jobClassOf({ state, changes, isDrift }: FleetJob): string {
  if (classes[state] !== undefined) return classes[state];
  if (deletionsOf({ changes }) > 0) return 'destructive';
  return isDrift ? 'disruptive' : 'safe';
}
