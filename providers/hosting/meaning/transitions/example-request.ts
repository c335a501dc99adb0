import type { ExampleRequest, VisitorRequest } from '#kind';
import { isTelling } from '../../kinds/telling.ts';

/** Stands for a value that may be a credential, because a condition of a rule compares it. */
const hiddenValue = '(the stated value)';

/**
 * Returns a request that was made up as an example as plain data, for reports. Values of headers and queries that may be credentials are
 * replaced.
 */
export function toExampleRequest({
  method,
  url,
  ip,
  country,
  headers,
  attributes,
}: VisitorRequest): ExampleRequest {
  const shownUrl = new URL(url);
  for (const [key, value] of url.searchParams)
    if (isTelling({ type: 'query', key, value })) shownUrl.searchParams.set(key, hiddenValue);
  const shownHeaders = [...headers].map(([name, value]): [string, string] => [
    name,
    name === 'cookie' || isTelling({ type: 'header', key: name, value }) ? hiddenValue : value,
  ]);
  return {
    method,
    url: String(shownUrl),
    ip,
    country,
    headers: shownHeaders.length > 0 ? Object.fromEntries(shownHeaders) : undefined,
    attributes: attributes ? Object.fromEntries(attributes) : undefined,
  };
}
