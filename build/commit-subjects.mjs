#!/usr/bin/env node
// Lists new commits whose message breaks the rules of CONTRIBUTING.md, as warnings: it never fails.
// usage: node build/commit-subjects.mjs [RANGE]     (default: the commits that the default branch lacks)
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const longest = 72; // characters of a subject
const shown = 10; // warnings; the rest are counted

/** The first words of subjects that describe the commit (`Fixed`, `Fixes`, `Fixing`) instead of saying what to do (`Fix`). */
const notImperative =
  /^(?:\w+ed|\w+ing|(?:Add|Fix|Change|Use|Make|Remove|Move|Rename|Rewrite|Say|Show|Test|Let|Keep|Read|Write)e?s)\b/;
/** Imperatives that end like those forms. */
const imperative = /^(?:Need|Embed|Speed|Feed|Seed|Shed|Bring|Ring|String|Spring|Swing|Sling|Ping)\b/;

/** Returns the mistakes in a commit message, as short phrases; nothing if it follows the rules. */
export function complaintsOf(message) {
  const [subject = '', ...body] = message.trimEnd().split('\n');
  return [
    ...(subject.length > longest
      ? [`the subject has ${subject.length} characters, more than ${longest}`]
      : []),
    ...(notImperative.test(subject) && !imperative.test(subject)
      ? ['the subject is not imperative: "Fix", not "Fixed" or "Fixes"']
      : []),
    ...(subject.endsWith('.') ? ['the subject ends with a full stop'] : []),
    ...(body.some((line) => line.trim() !== '') ? [] : ['there is no body that says why']),
  ];
}

/** Runs git quietly; undefined if it fails, for example because there is no repository. */
function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/** Returns hash and message of each commit in a range of git, without merges; by default those that the default branch lacks. */
function newCommits(range) {
  const base = ['origin/HEAD', 'origin/main', 'main'].find((name) =>
    git('rev-parse', '--verify', '--quiet', name),
  );
  const chosen = range ?? (base && `${base}..HEAD`);
  const log = chosen && git('log', '--no-merges', '--format=%h%x00%B%x01', chosen, '--');
  return (log ?? '')
    .split('\u0001')
    .map((entry) => entry.trim().split('\0'))
    .filter(([hash]) => hash);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const warnings = newCommits(process.argv[2]).flatMap(([hash, message]) => {
    const complaints = complaintsOf(message).join('; ');
    return complaints === '' ? [] : [`warning: commit ${hash} "${message.split('\n')[0]}": ${complaints}`];
  });
  for (const warning of warnings.slice(0, shown)) console.warn(warning);
  if (warnings.length > shown) console.warn(`warning: and ${warnings.length - shown} more commits`);
}
