// Until the browser's time zone is known (live.js keeps it for the next page), the server writes
// times in UTC. This file tells them in the browser's zone.
(() => {
  "use strict";

  const { lang } = document.documentElement;
  for (const time of document.querySelectorAll("time:not([data-countdown])")) {
    const { weekday } = time.dataset;
    if (!time.textContent.endsWith("UTC")) continue;
    time.textContent = new Date(time.dateTime).toLocaleString(lang || undefined, {
      weekday,
      day: "numeric",
      month: weekday ? "long" : "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZoneName: "short",
    });
  }
})();
