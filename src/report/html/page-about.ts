import { cleanLine } from '../clean.ts';
import { html, type Markup, type Part } from './markup.ts';

/** The place and time of a page, as its maker knows them: a plan itself holds neither, so that equal input makes equal plans. */
export interface PageAbout {
  commit?: { id: string; url?: string; isDirty?: boolean };
  /** The run of a CI system. */
  run?: { name: string; url?: string };
  /** Milliseconds since 1970. */
  time?: number;
}

/** The line below the title: commit, run and time. */
export function factsOf({ commit, run, time }: PageAbout = {}): Part {
  const facts: [string, Markup][] = [];
  if (commit) {
    const text = html`<code>${cleanLine(commit.id.slice(0, 8))}</code>`;
    facts.push(['Commit', html`${linked(text, commit.url)}${commit.isDirty && ' with uncommitted changes'}`]);
  }
  if (run) facts.push(['Run', linked(html`${cleanLine(run.name)}`, run.url)]);
  if (time !== undefined) {
    const iso = new Date(time).toISOString();
    facts.push(['Planned', html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`]);
  }
  if (facts.length === 0) return undefined;
  return html`
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt> <dd>${value}</dd></div>`)}</dl>`;
}

/** Only an address of the web becomes a link: it comes from the environment. */
const linked = (text: Markup, url: string | undefined): Markup =>
  url !== undefined && /^https?:\/\/[^\s"<>]+$/i.test(url)
    ? html`<a href="${url}" rel="noreferrer">${text}</a>`
    : text;
