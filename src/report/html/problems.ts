import type { Diagnostic, Position } from '../../model/diagnostic.ts';
import { clean, cleanLine, errorLines } from '../clean.ts';
import { count, listed } from '../count.ts';
import { html, type Markup, type Part } from './markup.ts';

/** The problems, errors first, each with its place and what to do. */
export function problems(diagnostics: Diagnostic[]): Part {
  if (diagnostics.length === 0) return undefined;
  const of = (wanted: Diagnostic['severity']) => diagnostics.filter(({ severity }) => severity === wanted);
  const [errors, warnings] = [of('error'), of('warning')];
  const counts = [
    ...(errors.length > 0 ? [count(errors.length, 'error')] : []),
    ...(warnings.length > 0 ? [count(warnings.length, 'warning')] : []),
  ];
  return html`
<section aria-labelledby="problems" class="problems">
<h2 id="problems">Problems <span class="count">${listed(counts)}</span></h2>
<ul>${[...errors, ...warnings].map(problemItem)}
</ul></section>`;
}

function problemItem(diagnostic: Diagnostic): Markup {
  const { severity, at, address, related = [] } = diagnostic;
  const { message, hint } = errorLines(diagnostic);
  return html`
<li class="${severity}"><p><strong class="severity">${severity}</strong> ${lines(message)}</p>${
    at
      ? place(at)
      : address !== undefined &&
        html`
<p class="about"><code>${cleanLine(address)}</code></p>`
  }${related.map(
    (other) => html`
<p>${cleanLine(other.message)}</p>${place(other.at)}`,
  )}${
    hint.length > 0 &&
    html`
<p class="hint"><span aria-hidden="true">→ </span>${lines(hint)}</p>`
  }</li>`;
}

const lines = (texts: string[]) => texts.map((text, at) => html`${at > 0 && html`<br>`}${text}`);

/** The place, and its line with the part in question marked. */
function place({ file, line, column, text, caret = column - 1 }: Position): Markup {
  const where = html`
<p class="about place">${cleanLine(file)}:${line}:${column}</p>`;
  if (text === undefined) return where;
  const shown = (part: string) => clean(part).replace(/\n/g, ' ');
  const rest = text.slice(caret);
  const length = /^\S*/.exec(rest)![0].length;
  return html`${where}
<pre><span>${shown(text.slice(0, caret)).trimStart()}<mark>${shown(rest.slice(0, length))}</mark>${shown(rest.slice(length))}</span></pre>`;
}
