import type { Operation, Request } from '../../model/plan.ts';
import { cleanLine } from '../clean.ts';
import { count } from '../count.ts';
import { lineOf } from '../request-text.ts';
import { layOut } from '../show.ts';
import { html, type Markup, type Part } from './markup.ts';

/** The place of an operation on the page, and its id there. */
export interface Written {
  id: string;
  address: string;
}

/** The requests of a change's operations. What is written out already is only pointed at. */
export function requestsOf(operations: Operation[], written: Map<Operation, Written>, here: Written): Part {
  const earlier = new Map<string, Written>();
  const fresh = operations.filter((operation) => {
    const there = written.get(operation);
    if (there) earlier.set(there.id, there);
    else written.set(operation, here);
    return !there;
  });
  const requests = fresh.flatMap(({ requests }) => requests);
  return [
    [...earlier.values()].map(
      ({ id, address }) => html`
<p class="sent">Sent together with <a href="#${id}">${cleanLine(address)}</a>.</p>`,
    ),
    requests.length > 0 && requestList(requests),
  ];
}

/** Requests in the order in which they are sent, folded. */
export const requestList = (requests: Request[]): Markup => html`
<details class="requests"><summary>${count(requests.length, 'request')}</summary>
<ol>${requests.map(requestItem)}
</ol></details>`;

function requestItem(request: Request): Markup {
  const { method, path } = lineOf(request);
  const body = request.body === undefined ? [] : layOut(request.body, 88, 'json');
  return html`
<li><code><b>${method}</b> ${path}</code>${body.length > 0 && html`<pre>${body.map((line) => html`<span>${line}\n</span>`)}</pre>`}</li>`;
}
