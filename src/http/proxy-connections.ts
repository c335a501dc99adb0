import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { type Connections, longestPause } from './connections.ts';
import type { Bounds } from './exchange.ts';

/*
 * Connections through a proxy, with undici: Node.js 20 has no client for proxies. Loaded only if a proxy is set, see `direct-connections.ts`.
 */

/** The proxies that HTTP_PROXY and HTTPS_PROXY name, and the hosts that are reached without them, as NO_PROXY lists them. */
export interface ProxySettings {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/** Opens connections through the proxy that the settings ask for. Throws an error of undici if one of them is not a URL. */
export const openProxyConnections = (bounds: Bounds, settings: ProxySettings): Connections =>
  reopenAfterPause(
    () =>
      new EnvHttpProxyAgent({
        ...settings,
        connections: bounds.connections,
        pipelining: 1,
        headersTimeout: bounds.idle,
        bodyTimeout: bounds.idle,
        connect: { timeout: bounds.connectTimeout },
      }),
  );

/**
 * Opens connections with `open`, and opens new ones for the first request after a pause of more than `longestPause`. Requests that are under way keep
 * their connections. undici gives up an idle connection by a timer, which is late after a long calculation. `now`: returns milliseconds that never jump
 * back.
 */
export function reopenAfterPause(
  open: () => Dispatcher,
  now: () => number = () => performance.now(),
): Connections {
  let current = open();
  let lastUse = now();
  const earlier = new Set<Dispatcher>();
  const retire = (dispatcher: Dispatcher) => {
    earlier.add(dispatcher);
    // Resolves when its requests have ended. It fails only if it was destroyed meanwhile.
    const forget = () => void earlier.delete(dispatcher);
    dispatcher.close().then(forget, forget);
  };
  return {
    request: async (options) => {
      if (now() - lastUse > longestPause) {
        retire(current);
        current = open();
      }
      lastUse = now();
      try {
        return await current.request(options as Dispatcher.RequestOptions);
      } finally {
        lastUse = now();
      }
    },
    destroy: async () => {
      await Promise.all([current, ...earlier].map((dispatcher) => dispatcher.destroy()));
    },
  };
}
