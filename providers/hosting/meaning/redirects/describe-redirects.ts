import type { Address, View } from '#kind';

/** The most objects that a finding about redirects names beside its own. */
export const mostRelated = 5;

/** Returns the field with the destination of a redirect, so that a finding points to it. */
export const destinationField = (address: Address, view: View): string =>
  ({ bulkRedirects: 'destination', projectRoute: 'route.dest' })[view.at(address)!.kind] ?? 'redirect';

/** Returns URLs as a way. The middle of a long one is left out. */
export const wayText = (urls: readonly string[]): string =>
  (urls.length > 7 ? [...urls.slice(0, 4), '…', ...urls.slice(-2)] : urls).join(' → ');
