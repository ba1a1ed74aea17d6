{% autoescape off %}// Keeps the files of the offline page, and shows pushed notices. It never keeps a page of the site or
// a part of one: those go to the network, and are not read here.
"use strict";

const CACHE = "shell-" + {{ version }};
const FILES = {{ files }};
const OFFLINE = {{ offline }};
const ICON = {{ icon }};

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES);
    // Without cookies, so that the page is no one's.
    const page = await fetch(OFFLINE, { credentials: "omit", cache: "no-store" });
    if (!page.ok) throw new Error("no offline page");
    await cache.put(OFFLINE, page);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (FILES.includes(url.pathname)) {
    const kept = async () => (await caches.match(url.pathname)) ?? fetch(request);
    event.respondWith(kept());
  } else if (request.mode === "navigate") {
    const page = async () => {
      try {
        return await fetch(request);
      } catch (error) {
        return (await caches.match(OFFLINE)) ?? Promise.reject(error);
      }
    };
    event.respondWith(page());
  }
});

self.addEventListener("push", (event) => {
  const { title, body, url } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, { body, icon: ICON, tag: url, data: { url } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const target = new URL(event.notification.data.url, self.location.origin);
  if (target.origin !== self.location.origin) return;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window" });
    const shown = pages.find((page) => new URL(page.url).pathname === target.pathname);
    await (shown ? shown.focus() : self.clients.openWindow(target.href));
  };
  event.waitUntil(open());
});
{% endautoescape %}