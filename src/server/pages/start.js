// The origin alone: the page's address may hold a password, with which no request may be made.
SwaggerUIBundle({
  url: window.location.origin + "/v3/api-docs",
  dom_id: "#operations",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
