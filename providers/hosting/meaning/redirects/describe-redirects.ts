import type { Address, View } from '#kind';

/** Returns the field with the destination of a redirect, so that a finding points to it. */
export const destinationField = (address: Address, view: View): string =>
  ({ bulkRedirects: 'destination', projectRoute: 'route.dest' })[view.at(address)!.kind] ?? 'redirect';
